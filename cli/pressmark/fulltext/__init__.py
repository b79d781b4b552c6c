"""An open copy of a work in, its text as Markdown beside the reference out."""
