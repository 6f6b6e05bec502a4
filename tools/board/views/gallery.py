"""Line-ups to choose from, one of each style. Their names and what they are for are in the texts of the page."""

GALLERY = {
    "balanced": "cfhed" + "ikb" + "daei" + "ckg" + "hjgji" + "gljhf",
    "left": "acehg" + "bki" + "dkhi" + "cih" + "dejgf" + "fgjlj",
    "right": "hgebc" + "ika" + "ihkd" + "gic" + "jjfed" + "jlfhg",
    "fortress": "fdheg" + "ici" + "ekdh" + "bca" + "gjkfi" + "jljhg",
    "trap": "gdhfe" + "kik" + "cabe" + "icd" + "fhjgi" + "hgjlj",
    "decoy": "dfgce" + "ibi" + "adhc" + "kgf" + "hjgke" + "jhjli",
}
"""By style, 25 letters: row by row, the front row first, from the owner's left."""
