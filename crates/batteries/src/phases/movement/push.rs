//! Skirmishers pushed on by columns behind them.

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::Refusal;
use sabretache_table::{Angle, Length, Outline, first_contact};

use crate::battle::Battle;
use crate::clauses::*;
use crate::event::{Event, How};
use crate::phases::follows::happened;
use crate::phases::movement::LEAST;
use crate::troops::{Arm, Formation};

impl Battle {
    /// A column that can push skirmishers: behind their front, facing much as they do, and straight behind some of them.
    fn pushes(&self, column: UnitId, skirmishers: UnitId) -> bool {
        let state = self.unit(column);
        let (them, us) = (self.placed(skirmishers), self.placed(column));
        let turn = them.pose().heading.turn_to(us.pose().heading).abs();
        let front = them.pose().at.v();
        let behind =
            us.parts().all(|part| part.corners.iter().all(|corner| (*corner - front).dot(them.forward()) < 0.0));
        let most = self.numbers().push.most.0.f();
        self.arm(column) == Arm::Foot
            && state.inside.is_none()
            && matches!(state.formation, Formation::Column | Formation::Masse)
            && !state.now.moved
            && self.may_move(column).is_ok()
            && turn <= Angle::hundredths(self.numbers().push.aside.into())
            && behind
            && first_contact(&us, us.forward(), most, &them).is_some()
    }

    /// How far two units that go straight ahead by as much as each other get before one runs into the other: they do where they do not face
    /// quite the same way.
    fn abreast(&self, one: UnitId, other: UnitId, most: Length) -> Length {
        let (us, them) = (self.placed(one), self.placed(other));
        let closing = us.forward() - them.forward();
        let speed = closing.length();
        if speed < 1e-9 {
            return most;
        }
        let met = first_contact(&us, closing.unit(), most.f() * speed, &them);
        met.map_or(most, |at| most.min(Length::floored(at / speed)))
    }

    /// How far skirmishers may be pushed, and by which columns (BB-MOV-24).
    pub(crate) fn push(&self, unit: UnitId) -> Result<(Length, Vec<UnitId>), Refusal> {
        decides!(BB_MOV_24);
        self.may_march(unit)?;
        let refuse = |why: &str| Err(Refusal::new(BB_MOV_24, why));
        if !self.skirmishing(unit) || self.unit(unit).now.moved {
            return refuse("only skirmishers who have not moved are pushed forward");
        }
        let numbers = &self.numbers().push;
        let columns: Vec<UnitId> = self.friends(unit).filter(|column| self.pushes(*column, unit)).collect();
        let needed = usize::from(numbers.columns);
        if columns.len() < needed {
            return refuse("it takes two columns behind them to push skirmishers forward");
        }
        let way = self.unit(unit).pose.heading;
        let reach = self.straight_at(unit, way, 1, BB_MOV_24, numbers.most.0).most;
        // The columns follow once the skirmishers have gone.
        let to = self.unit(unit).pose.ahead(reach);
        let moved = Event::Moved { unit, to, cost: Length::ZERO, how: How::Advance, advanced: false };
        let mut gone = happened(self, &moved);
        gone.apply(&Event::MoveOver { unit });
        let mut able: Vec<(Length, UnitId)> = columns
            .into_iter()
            .map(|column| {
                let free = gone.straight(column, gone.unit(column).pose.heading, 1, BB_MOV_01).most;
                (self.abreast(column, unit, free.min(reach)), column)
            })
            .collect();
        able.sort_by_key(|(reach, column)| (std::cmp::Reverse(*reach), *column));
        able.truncate(needed);
        let mut most = able.iter().map(|(reach, _)| *reach).fold(reach, Length::min);
        for (n, (_, one)) in able.iter().enumerate() {
            most = able[n + 1..].iter().fold(most, |most, (_, other)| self.abreast(*one, *other, most));
        }
        if most < LEAST {
            return refuse("there is no room for them to be pushed forward");
        }
        Ok((most, able.into_iter().map(|(_, column)| column).collect()))
    }
}
