"""What goes to other programs and comes from them: exports, citation sources, Zotero's library."""
