//! The numbers of the rules, each under its clause.

use sabretache_table::Length;

sabretache_kit::numbers! {
    /// Every number that a scenario may change by name.
    Numbers {
        /// How far an advance goes.
        #[serde(rename = "PK-MOV-01")]
        advance: Advance = Advance::default(),
        /// How deep a zone is.
        #[serde(rename = "PK-VOL-01")]
        zone: Zone = Zone::default(),
        /// A volley.
        #[serde(rename = "PK-VOL-02")]
        volley: Volley = Volley::default(),
    }

    /// An advance, in millimetres.
    Advance {
        /// At least.
        least: u16 = 10,
        /// At most.
        most: u16 = 120,
    }

    /// A zone, in millimetres.
    Zone {
        /// How deep.
        depth: u16 = 100,
    }

    /// A volley.
    Volley {
        /// How many dice.
        dice: u8 = 3,
        /// What hits.
        hits_on: u8 = 5,
    }
}

impl Numbers {
    pub(crate) fn zone_depth(&self) -> Length {
        Length::mm(self.zone.depth.into())
    }
}
