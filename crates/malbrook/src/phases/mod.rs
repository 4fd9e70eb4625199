//! The phases of a turn, in the order of the book: what may be done in each, what closes it, and what comes of it.

// The sequence of play, and setting the armies down.
pub(crate) mod deploy;
pub(crate) mod steps;
pub(crate) mod turn;

// Bombardment, close artillery fire, shots at lone leaders.
pub(crate) mod gunnery;

// Command and control.
pub(crate) mod command;
pub(crate) mod control;
pub(crate) mod messages;
pub(crate) mod orders;

// Movement.
pub(crate) mod advance;
pub(crate) mod ambush;
pub(crate) mod halting;
pub(crate) mod horses;
pub(crate) mod manoeuvre;
pub(crate) mod merging;
pub(crate) mod movement;
pub(crate) mod passing;
pub(crate) mod refused_flank;
pub(crate) mod roads;
pub(crate) mod skirmish;
pub(crate) mod wheel;

// Charges, combat and what follows it.
pub(crate) mod after_combat;
pub(crate) mod charge;
pub(crate) mod closing;
pub(crate) mod combat;
pub(crate) mod fleeing;
pub(crate) mod harm;
pub(crate) mod meeting;
pub(crate) mod pursuit;
pub(crate) mod splitting;

// Morale, and how a battle is won.
pub(crate) mod aims;
pub(crate) mod morale;
pub(crate) mod objectives;

// What is asked in the middle of something else.
pub(crate) mod pending;

// What follows by itself.
pub(crate) mod follows;

// How a hand takes hold of what more than one phase offers.
pub(crate) mod handles;

// Rules that a battle may be fought with or without, and players who are only advised.
pub(crate) mod despite;
pub(crate) mod options;
