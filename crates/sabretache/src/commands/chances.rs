//! `sabretache chances`: the chances of winning of a book, fitted on battles of its scenarios.

use std::collections::BTreeMap;
use std::fs;

use sabretache_lab::moments::{Sample, chances};

use super::laboratory::{field, on_threads, told};
use super::{print, print_pretty};
use crate::cli::{ChancesArgs, Changed};
use crate::failure::{Failure, bad};

pub(crate) fn run(asked: &ChancesArgs) -> Result<(), Failure> {
    let samples: Vec<Sample> = asked
        .scenarios
        .iter()
        .map(|name| if asked.fit { read(name) } else { fought(asked, name) })
        .collect::<Result<_, _>>()?;
    if let Some(folder) = &asked.moments {
        fs::create_dir_all(folder).map_err(|error| bad(format!("{}: {error}", folder.display())))?;
        for sample in samples {
            let about = &sample.about;
            let path = folder.join(format!("{}-{}-{}.csv", about.ruleset, about.scenario, about.player));
            fs::write(&path, sample.text()).map_err(|error| bad(format!("{}: {error}", path.display())))?;
            print(&format!("{}\n", path.display()))?;
        }
        return Ok(());
    }
    let (book, chances) = chances(asked.version, samples).map_err(bad)?;
    print_pretty(&BTreeMap::from([(book, chances)]))
}

fn read(path: &str) -> Result<Sample, Failure> {
    let text = fs::read_to_string(path).map_err(|error| bad(format!("{path}: {error}")))?;
    Sample::read(&text).map_err(|why| bad(format!("{path}: {why}")))
}

fn fought(asked: &ChancesArgs, name: &str) -> Result<Sample, Failure> {
    let fought = &asked.fought;
    if fought.a != fought.b {
        return Err(bad("chances are fitted on battles of one player against himself"));
    }
    let field = field(name, &Changed { set: Vec::new(), overlay: None })?;
    let of = (fought.seed, asked.battles, fought.longest);
    on_threads(fought.threads, || Sample::fought(&*field, name, fought.a, of))?.map_err(told)
}
