//! What may be done: the offers of the phases, in the order of the sequence of play.

use crate::{
    Answer, Charges, Combats, Command, ControlTest, Deployment, Gunnery, Malbrook, Manoeuvres, Merging, Messages,
    Movement, Optional, RefusedFlank, Turn,
};

sabretache_kit::offers! {
    /// One thing the deciding side may do.
    pub enum Offer of Malbrook {
        /// The armies are set down.
        Deployment(Deployment),
        /// Who goes first, who comes up, who has done enough.
        Turn(Turn),
        /// Guns fire, and foot shoot at lone horsemen.
        Gunnery(Gunnery),
        /// Leaders act.
        Command(Command),
        /// Leaders speak to each other.
        Messages(Messages),
        /// Control is tested.
        ControlTest(ControlTest),
        /// Brigades move by dice.
        Movement(Movement),
        /// Brigades and guns change what they are doing where they stand.
        Manoeuvres(Manoeuvres),
        /// A flank is refused, or straightened again.
        RefusedFlank(RefusedFlank),
        /// Brigades merge and split.
        Merging(Merging),
        /// Charges are declared and answered.
        Charges(Charges),
        /// Combats are fought, and their results carried out.
        Combats(Combats),
        /// What is asked in the middle of something else is answered.
        Answer(Answer),
        /// What goes beyond the book is used.
        Optional(Optional),
    }
}
