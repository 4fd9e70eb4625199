//! The things a side may do, phase by phase in the order of the sequence of play (BB-SEQ-01).

use crate::Batteries;
use crate::phases::charges::offers::Charges;
use crate::phases::combat::offers::Combats;
use crate::phases::formations::offers::Formations;
use crate::phases::generals::offers::Generals;
use crate::phases::morale::offers::Tests;
use crate::phases::movement::offers::Movement;
use crate::phases::pursuit::offers::Pursuits;
use crate::phases::rout::offers::Routs;
use crate::phases::screens::offers::Screens;
use crate::phases::shooting::offers::Aiming;
use crate::phases::towns::offers::Towns;
use crate::phases::turn::offers::Turn;

sabretache_kit::offers! {
    /// One thing the deciding side may do.
    pub enum Offer of Batteries {
        /// What the turn itself asks.
        Turn(Turn),
        /// Moves, and the end of the movement phase.
        Movement(Movement),
        /// Changes of formation, facing and frontage.
        Formations(Formations),
        /// Into town blocks, from one to the next, and out of them.
        Towns(Towns),
        /// Skirmish screens.
        Screens(Screens),
        /// Generals ride.
        Generals(Generals),
        /// Charges, and the answers to them.
        Charges(Charges),
        /// The orders to shoot.
        Aiming(Aiming),
        /// Tests of morale.
        Tests(Tests),
        /// How a unit routs.
        Routs(Routs),
        /// Combats are fought.
        Combats(Combats),
        /// Who pursues, and how.
        Pursuits(Pursuits),
    }
}
