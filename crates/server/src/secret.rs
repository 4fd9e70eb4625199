//! The secret of a seat: whoever has it sits there.

use sabretache_engine::dice::Die;
use sha2::{Digest, Sha256};

use crate::messages::{PlayerSeat, PlayerSecret, SeatName, Secrets};

/// Random bytes. On a simulated day they follow from its seed.
pub(crate) fn fill(bytes: &mut [u8]) -> Result<(), getrandom::Error> {
    #[cfg(test)]
    if crate::simulated::foreseen(bytes) {
        return Ok(());
    }
    getrandom::fill(bytes)
}

fn bits() -> Result<u64, getrandom::Error> {
    let mut bytes = [0; 8];
    fill(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

/// 160 random bits, as text that fits in a link.
pub(crate) fn secret() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 20];
    fill(&mut bytes)?;
    Ok(hex::encode(bytes))
}

/// A short random name for a battle. It is no secret.
pub(crate) fn name() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 8];
    fill(&mut bytes)?;
    Ok(hex::encode(bytes))
}

/// A random seed that a browser's numbers can hold.
pub(crate) fn seed() -> Result<u64, getrandom::Error> {
    Ok(bits()? >> 11)
}

/// A die thrown by the machine.
pub(crate) fn throw(die: Die) -> Result<u8, getrandom::Error> {
    let faces = die.faces();
    Ok(faces[(bits()? % faces.len() as u64) as usize])
}

/// What is kept of a secret. It has so many random bits that no salt or slow hash is needed.
pub(crate) fn hash(secret: &str) -> Vec<u8> {
    Sha256::digest(secret.as_bytes()).to_vec()
}

impl Secrets {
    /// A fresh secret for every seat, and for each of these players.
    pub(crate) fn fresh(players: Vec<PlayerSeat>) -> Result<Self, getrandom::Error> {
        let named = |player| Ok(PlayerSecret { player, secret: secret()? });
        let players = players.into_iter().map(named).collect::<Result<_, getrandom::Error>>()?;
        Ok(Self { a: secret()?, b: secret()?, umpire: secret()?, spectator: secret()?, players })
    }

    /// Each seat, as it is kept, with the hash of its secret.
    pub(crate) fn hashes(&self) -> Vec<(String, Vec<u8>)> {
        let seats = [
            (SeatName::A, &self.a),
            (SeatName::B, &self.b),
            (SeatName::Umpire, &self.umpire),
            (SeatName::Spectator, &self.spectator),
        ];
        let seats = seats.map(|(seat, secret)| (seat.word().to_owned(), hash(secret)));
        let players = self.players.iter().map(|one| (one.player.word(), hash(&one.secret)));
        seats.into_iter().chain(players).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_long_and_never_alike() {
        let secrets = Secrets::fresh(Vec::new()).unwrap();
        assert_eq!(secrets.a.len(), 40);
        assert!(secrets.a != secrets.b && secrets.b != secrets.umpire && secrets.umpire != secrets.spectator);
    }

    #[test]
    fn a_seed_survives_the_numbers_of_a_browser() {
        for _ in 0..100 {
            assert!(seed().unwrap() < 1 << 53);
        }
    }
}
