//! `sabretache chances`: the chances of winning of a book, fitted on battles of its scenarios.

use std::collections::BTreeMap;

use rayon::prelude::*;
use sabretache_lab::Chances;
use sabretache_lab::chance::Moment;
use sabretache_lab::simulate::battle_seed;

use super::laboratory::{field, on_threads, told};
use super::print_pretty;
use crate::cli::{ChancesArgs, Changed};
use crate::failure::{Failure, bad};

pub(crate) fn run(asked: &ChancesArgs) -> Result<(), Failure> {
    let fought = &asked.fought;
    let unchanged = Changed { set: Vec::new(), overlay: None };
    let mut book: Option<&str> = None;
    let (mut fitted, mut judged): (Vec<Moment>, Vec<Moment>) = (Vec::new(), Vec::new());
    for name in &asked.scenarios {
        let field = field(name, &unchanged)?;
        if *book.get_or_insert(field.ruleset()) != field.ruleset() {
            return Err(bad("chances are fitted for one book at a time"));
        }
        let one = |n: u64| field.moments(battle_seed(fought.seed, n), [fought.a, fought.b], fought.longest);
        let all =
            on_threads(fought.threads, || (0..asked.battles).into_par_iter().map(one).collect::<Result<Vec<_>, _>>())?;
        for (n, moments) in all.map_err(told)?.into_iter().enumerate() {
            if n % 2 == 0 { fitted.extend(moments) } else { judged.extend(moments) }
        }
    }
    let battles = asked.battles / 2 * asked.scenarios.len() as u64;
    let chances = Chances::fitted(asked.version, asked.scenarios.clone(), &fitted, &judged, battles);
    print_pretty(&BTreeMap::from([(book.unwrap_or_default(), chances)]))
}
