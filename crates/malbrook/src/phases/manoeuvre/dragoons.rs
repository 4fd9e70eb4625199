//! Dragoons get off and mount again, and their horses (MB-MAN-16, MB-MAN-17).

use super::*;
use sabretache_engine::decides;

/// The dragoons on foot, or in the saddle again (MB-MAN-16, 17).
pub(crate) fn remounted(battle: &Battle, unit: UnitId) -> Result<Brigade, Refusal> {
    let brigade = battle.brigade(unit);
    let mounts = brigade.kind == Kind::DismountedDragoons;
    may_manoeuvre(battle, unit, if mounts { ManoeuvreKind::Mount } else { ManoeuvreKind::Dismount })?;
    if brigade.marks.share.half {
        battle.forbid(MB_MAN_01, "half of its move is used up already")?;
    }
    if mounts {
        decides!(MB_MAN_17);
        let reach = battle.fixed.numbers.horse_holders.length();
        let there = brigade
            .horses
            .is_some_and(|at| near(&sabretache_table::Convex::place(at.v()), &battle.figure(unit), reach));
        if !there {
            battle.forbid(MB_MAN_17, "their horses are not within an inch")?;
        }
    }
    let bases = &battle.fixed.numbers.bases;
    let (kind, base, formation) = if mounts {
        (Kind::Dragoons, &bases.horse, Formation::Line)
    } else {
        (Kind::DismountedDragoons, &bases.foot, Formation::Unformed)
    };
    decides!(MB_MAN_16);
    let changed = Brigade {
        kind,
        width: base.width.length(),
        depth: base.depth.length(),
        formation,
        files: if mounts { brigade.bases } else { brigade.files },
        places: None,
        ..*brigade
    };
    let fits = |one: &Brigade| battle.stands(unit, &Figure::of(one, one.pose));
    // On the spot: where its front is, or about its middle, or a little back or aside where a neighbour stands.
    let middle = Pose::new(Point::rounded(battle.figure(unit).centre()), brigade.pose.heading);
    let centred = middle.ahead((changed.depth * i32::from(changed.rows())).half());
    let near = [changed.pose, centred].into_iter().flat_map(|pose| {
        let by = |n: i32| Length::inch_fraction(1, 8) * n;
        (0..=16).flat_map(move |n| [pose.ahead(-by(n)), pose.sideways(by(n)), pose.sideways(-by(n))])
    });
    let at = |pose: Pose| Some(Brigade { pose, ..changed }).filter(|one| fits(one));
    // Dragoons that dismount among neighbours stand closer.
    let close = || (!mounts).then(|| changed.drawn_close()).filter(|one| fits(one));
    let found = at(changed.pose).or_else(close).or_else(|| near.into_iter().find_map(at));
    found.ok_or_else(|| Refusal::new(MB_MAN_16, "there is no room"))
}

/// Where the horses of dragoons who have just dismounted may be led (MB-MAN-17).
pub(crate) fn horses_input(battle: &Battle, unit: UnitId) -> Result<Input, Refusal> {
    movement::may_move(battle, unit)?;
    let brigade = battle.brigade(unit);
    let Some(at) = brigade.horses.filter(|_| brigade.marks.loose.dismounted) else {
        return no(MB_MAN_17, "horses are led away once, as their riders dismount");
    };
    Ok(command::riding_input(battle, brigade.side, at, false))
}

/// Horses are led away.
pub(crate) fn lead_horses(play: &mut Play<'_>, unit: UnitId, to: Option<Point>) -> Result<(), Halt> {
    let input = horses_input(play.battle(), unit)?;
    let to = to.ok_or(WrongValue("where to?".into()))?;
    input.check(&sabretache_engine::offer::Value::Point(to), Unit::Inch)?;
    let battle = play.battle();
    let from = battle.brigade(unit).horses.unwrap_or(to);
    let to = command::rides(battle, battle.brigade(unit).side, from, to, false);
    play.happen(Event::HorsesLed { unit, to });
    Ok(())
}

/// Dragoons dismount, or mount again.
pub(crate) fn remount(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    let changed = remounted(play.battle(), unit)?;
    let price = u8::from(play.battle().under_fire(unit));
    let horses =
        (changed.kind == Kind::DismountedDragoons).then(|| Point::rounded(play.battle().figure(unit).centre()));
    let places = changed.places.map_or_else(Vec::new, |places| places.on_table(changed.pose.at).collect());
    let to = Some(changed.pose);
    play.happen(Event::Changed { unit, kind: changed.kind, horses, to, places });
    harm(play, unit, price, 0, Cause::Move)
}
