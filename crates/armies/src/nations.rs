//! What is common to the troops of a nation.

use crate::list::Nation;

impl Nation {
    /// Its short name in files.
    pub(crate) fn id(self) -> &'static str {
        self.row().0
    }

    /// What its troops are called together.
    pub(crate) fn people(self) -> &'static str {
        self.row().1
    }

    /// The usual colour of its coats.
    pub(crate) fn coat(self) -> &'static str {
        self.row().2
    }

    /// Whether its doctrine, in the time of Napoleon, is to attack in column.
    pub(crate) fn attacks_in_column(self) -> bool {
        !matches!(self, Self::Britain | Self::Portugal | Self::Hanover | Self::Corsica)
    }

    /// The word that Brigades and Batteries has for it, where it has one.
    pub(crate) fn in_batteries(self) -> Option<&'static str> {
        Some(match self {
            Self::Britain | Self::Hanover => "britain",
            Self::France => "france",
            Self::Austria => "austria",
            Self::Prussia => "later_prussia",
            Self::Russia => "russia",
            Self::Spain => "spain",
            _ => return None,
        })
    }

    fn row(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Britain => ("british", "British", "#b5382f"),
            Self::France => ("french", "French", "#2b4c8c"),
            Self::Austria => ("austrian", "Austrians", "#ece7da"),
            Self::Prussia => ("prussian", "Prussians", "#2b3f70"),
            Self::Russia => ("russian", "Russians", "#35603f"),
            Self::Spain => ("spanish", "Spaniards", "#d8d2c3"),
            Self::Portugal => ("portuguese", "Portuguese", "#3d5a94"),
            Self::Bavaria => ("bavarian", "Bavarians", "#7fa7c9"),
            Self::Netherlands => ("dutch", "Dutch", "#b4ab98"),
            Self::Denmark => ("danish", "Danes", "#97928a"),
            Self::Hanover => ("hanoverian", "Hanoverians", "#a8433a"),
            Self::Hesse => ("hessian", "Hessians", "#3d5a94"),
            Self::Switzerland => ("swiss", "Swiss", "#a83a32"),
            Self::Poland => ("polish", "Poles", "#33508f"),
            Self::Italy => ("italian", "Italians", "#e8e4d8"),
            Self::Corsica => ("corsican", "Corsicans and Sicilians", "#3d5a3c"),
            Self::Empire => ("imperial", "Imperialists", "#ece7da"),
        }
    }
}
