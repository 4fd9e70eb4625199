//! A battle to be fought with figures on a real table, as a page that any browser prints: the map, a sheet a side with boxes to
//! mark, arrivals, what wins, notes.

use std::fmt::Write as _;

use sabretache_engine::ids::Side;
use sabretache_engine::view::{OfficerView, UnitView, View};

use crate::map::{Drawn, escaped, map};
use crate::terms::Terms;

const STYLE: &str = "@page{size:A4;margin:14mm}body{margin:0 auto;max-width:182mm;padding:8mm;color:#2a2318;background:#fff;font:10.5pt/1.35 'EB Garamond','Libertinus Serif',Georgia,serif}\
h1{font-size:26pt;margin:0;text-align:center}h2{font-size:16pt;margin:0 0 2mm;border-bottom:1.5pt solid}h3{font-size:11.5pt;margin:3.5mm 0 .5mm;font-variant:small-caps;letter-spacing:.04em}\
.where{text-align:center;font-style:italic;margin:1mm 0 5mm}svg{width:100%;height:auto;max-height:165mm}section{break-before:page}\
table{border-collapse:collapse;width:100%;break-inside:avoid}td{border-bottom:.4pt solid #b7a678;padding:.6mm 1mm;vertical-align:top}td.boxes{white-space:nowrap;letter-spacing:1.2mm;width:42mm;text-align:right}\
.coat{display:inline-block;width:4mm;height:2.6mm;border:.4pt solid #2a2318;border-top-width:1.2mm;margin-right:1.5mm}.small{font-size:9pt;color:#5c5039}li{margin-bottom:1mm}\
@media print{body{padding:0;max-width:none}}";

/// The booklet.
#[must_use]
pub fn booklet(view: &View, terms: &Terms) -> String {
    let setting = &view.setting;
    let mut html = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title><style>{STYLE}</style></head><body>\n<h1>{0}</h1>\n",
        escaped(&setting.title)
    );
    let place: Vec<&str> = [&setting.date, &setting.place].into_iter().flatten().map(String::as_str).collect();
    let _ = writeln!(html, "<p class=\"where\">{}</p>", escaped(&place.join(" · ")));
    html.push_str(&map(view, Drawn { troops: true, names: false }));
    if let Some(summary) = &setting.summary {
        let _ = writeln!(html, "<p>{}</p>", escaped(summary));
    }
    for side in &setting.sides {
        let _ = writeln!(
            html,
            "<section><h2 style=\"border-color:{0}\">{1}</h2>",
            escaped(&side.colour),
            escaped(&side.name)
        );
        html.push_str(&roster(view, side.side));
        html.push_str("</section>\n");
    }
    html.push_str("<section><h2>Terms</h2>\n");
    let turns: Vec<String> = terms.turns.iter().map(|turns| format!("The battle lasts {turns} turns.")).collect();
    html.push_str(&listed("How long it lasts", &turns));
    html.push_str(&listed("How it is won", &terms.victory));
    let arrivals: Vec<String> = view
        .units
        .iter()
        .filter_map(|unit| {
            let why = unit.absent.as_ref()?;
            Some(format!("{}: {}", unit.name, terms.arrivals.get(&unit.key).unwrap_or(why)))
        })
        .collect();
    html.push_str(&listed("Not on the table at first", &arrivals));
    html.push_str(&listed("Special rules, for both sides", &terms.rules));
    html.push_str(&listed("Notes", &terms.notes));
    html.push_str(&listed("Sources", &terms.sources));
    html + "</section></body></html>\n"
}

fn listed(title: &str, lines: &[String]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let items: String = lines.iter().map(|line| format!("<li>{}</li>\n", escaped(line))).collect();
    format!("<h3>{title}</h3>\n<ul>{items}</ul>\n")
}

/// Command by command: who leads it, and its units with boxes to mark.
fn roster(view: &View, side: Side) -> String {
    let mut html = String::new();
    for command in view.commands.iter().filter(|command| command.side == side) {
        let leads = |officer: &&OfficerView| command.officer == Some(officer.id) || officer.command == Some(command.id);
        let officer = view.officers.iter().find(leads);
        let units: Vec<&UnitView> = view.units.iter().filter(|unit| unit.command == Some(command.id)).collect();
        if officer.is_none() && units.is_empty() {
            continue;
        }
        let _ = writeln!(html, "<h3>{}</h3>", escaped(&command.name));
        if let Some(officer) = officer {
            let _ = writeln!(
                html,
                "<div>{} <span class=\"small\">{}</span></div>",
                escaped(&officer.name),
                escaped(&officer.lines.join(" · "))
            );
        }
        if units.is_empty() {
            continue;
        }
        html.push_str("<table>");
        for unit in units {
            let _ = writeln!(
                html,
                "<tr><td><span class=\"coat\" style=\"background:{0};border-top-color:{1}\"></span>{2}</td><td class=\"small\">{3}</td><td class=\"boxes\">{4}</td></tr>",
                escaped(&unit.coat),
                escaped(&unit.facings),
                escaped(&unit.name),
                escaped(&unit.lines.join(" · ")),
                "☐".repeat(8)
            );
        }
        html.push_str("</table>\n");
    }
    html
}
