"""What biblatex's data model lets each type have, of the fields that we write (`blx-dm.def`)."""

from __future__ import annotations

_LACKING = (
    (
        "article",
        "booktitle eventtitle publisher location type institution organization howpublished "
        "edition isbn",
    ),
    (
        "book",
        "journaltitle booktitle eventtitle issue type institution organization howpublished "
        "version issn",
    ),
    (
        "inbook incollection bookinbook suppbook suppcollection inreference",
        "journaltitle eventtitle issue type institution organization howpublished version issn",
    ),
    (
        "inproceedings",
        "journaltitle issue type institution howpublished edition version issn",
    ),
    (
        "thesis",
        "editor journaltitle booktitle eventtitle series volume number issue publisher "
        "organization howpublished edition version isbn issn",
    ),
    (
        "report",
        "editor journaltitle booktitle eventtitle series volume issue publisher organization "
        "howpublished edition isbn issn",
    ),
    (
        "online",
        "journaltitle booktitle eventtitle series volume number issue pages publisher "
        "location type institution howpublished edition eid isbn issn",
    ),
    (
        "patent",
        "editor journaltitle booktitle eventtitle series volume issue pages publisher "
        "institution organization howpublished edition eid isbn issn",
    ),
    (
        "unpublished",
        "editor journaltitle booktitle series volume number issue pages publisher institution "
        "organization edition eid version isbn issn",
    ),
    (
        "collection reference",
        "author journaltitle booktitle eventtitle issue type institution organization "
        "howpublished version issn",
    ),
    (
        "booklet",
        "journaltitle booktitle eventtitle series volume number issue publisher institution "
        "organization edition version isbn issn",
    ),
    (
        "mvbook",
        "journaltitle booktitle eventtitle issue pages type institution organization "
        "howpublished eid version issn",
    ),
    (
        "mvcollection mvreference",
        "journaltitle booktitle eventtitle series issue pages type institution organization "
        "howpublished eid version issn",
    ),
    (
        "periodical",
        "author journaltitle booktitle eventtitle pages publisher location type institution "
        "organization howpublished edition eid version isbn",
    ),
    (
        "manual",
        "journaltitle booktitle eventtitle volume issue institution howpublished issn",
    ),
    (
        "proceedings",
        "author journaltitle booktitle issue type institution howpublished edition version issn",
    ),
    (
        "mvproceedings",
        "author journaltitle booktitle volume issue pages type institution howpublished "
        "edition eid version issn",
    ),
    (
        "dataset",
        "journaltitle booktitle eventtitle volume issue pages institution howpublished eid "
        "isbn issn",
    ),
    (
        "software misc",
        "journaltitle booktitle eventtitle series volume number issue pages publisher "
        "institution edition eid isbn issn",
    ),
)
"""Types, and the fields that they do not have; any other field of ours they do."""

LACKS = {kind: frozenset(fields.split()) for kinds, fields in _LACKING for kind in kinds.split()}
