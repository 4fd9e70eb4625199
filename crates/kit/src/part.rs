//! What one phase lets the deciding side do, told in one place.
//!
//! The offers of a book are an enum of its phases' own enums ([`offers!`](crate::offers)). A phase tells of its own here all that is to
//! be known of an offer: who acts by it, what it asks for, what it does, its key, its label and how a hand takes hold of it. The top
//! level only passes the question on.

use sabretache_engine::handle::Handling;
use sabretache_engine::ids::Named;
use sabretache_engine::offer::{Halt, Input, Refusal, Value};
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::{Label, Ruleset};

/// The offers of a phase.
pub trait Part<R: Ruleset>: Copy {
    /// Who acts by it; nobody in particular for what a side does, and for what is asked in the middle of something else.
    fn actor(self) -> Option<Named>;

    /// What it asks for, or why it may not be taken up.
    ///
    /// # Errors
    ///
    /// Why the offer is closed.
    fn input(self, _battle: &R::Battle) -> Result<Input, Refusal> {
        Ok(Input::None)
    }

    /// Carries it out.
    ///
    /// # Errors
    ///
    /// What refuses it, before anything has happened, or the dice that are still to be thrown.
    fn carry_out(self, play: &mut Resolution<'_, R>, value: &Value) -> Result<(), Halt>;

    /// The short text that stands for it in logs, drills and messages: no other offer of the same decision has it.
    fn key(self, battle: &R::Battle) -> String;

    /// It in words.
    fn label(self, battle: &R::Battle) -> Label;

    /// How a hand takes hold of it on the table.
    fn handling(self, battle: &R::Battle) -> Handling;
}

/// Writes the offers of a book: an enum of those of its phases, which passes every question on.
#[macro_export]
macro_rules! offers {
    ($(#[$about:meta])* $vis:vis enum $Offer:ident of $Book:ident {
        $($(#[$doc:meta])* $Phase:ident($part:ty),)+
    }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $vis enum $Offer {
            $($(#[$doc])* $Phase($part),)+
        }

        $(impl From<$part> for $Offer {
            fn from(part: $part) -> Self {
                Self::$Phase(part)
            }
        })+

        impl $crate::Part<$Book> for $Offer {
            fn actor(self) -> Option<$crate::part::engine::ids::Named> {
                match self { $(Self::$Phase(part) => $crate::Part::<$Book>::actor(part),)+ }
            }

            fn input(
                self,
                battle: &<$Book as $crate::part::engine::ruleset::Ruleset>::Battle,
            ) -> Result<$crate::part::engine::offer::Input, $crate::part::engine::offer::Refusal> {
                match self { $(Self::$Phase(part) => $crate::Part::<$Book>::input(part, battle),)+ }
            }

            fn carry_out(
                self,
                play: &mut $crate::part::engine::resolution::Resolution<'_, $Book>,
                value: &$crate::part::engine::offer::Value,
            ) -> Result<(), $crate::part::engine::offer::Halt> {
                match self { $(Self::$Phase(part) => $crate::Part::<$Book>::carry_out(part, play, value),)+ }
            }

            fn key(self, battle: &<$Book as $crate::part::engine::ruleset::Ruleset>::Battle) -> String {
                match self { $(Self::$Phase(part) => $crate::Part::<$Book>::key(part, battle),)+ }
            }

            fn label(
                self,
                battle: &<$Book as $crate::part::engine::ruleset::Ruleset>::Battle,
            ) -> $crate::part::engine::ruleset::Label {
                match self { $(Self::$Phase(part) => $crate::Part::<$Book>::label(part, battle),)+ }
            }

            fn handling(
                self,
                battle: &<$Book as $crate::part::engine::ruleset::Ruleset>::Battle,
            ) -> $crate::part::engine::handle::Handling {
                match self { $(Self::$Phase(part) => $crate::Part::<$Book>::handling(part, battle),)+ }
            }
        }
    };
}

#[doc(hidden)]
pub use sabretache_engine as engine;
