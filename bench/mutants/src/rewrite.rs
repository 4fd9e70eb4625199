//! Finds conditions, and puts each chosen one behind a switch.

use std::path::Path;
use std::{fs, io};

use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Expr, ExprBinary, ExprMethodCall, ExprUnary, UnOp};

/// One condition that can be broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// The file, from the root of the project.
    pub file: String,
    /// Which condition of the file it is, from the first.
    pub number: usize,
    /// Its line.
    pub line: usize,
    /// What is changed into what.
    pub change: String,
}

/// The switch of each mutant: added to the crate's root.
pub const SWITCH: &str = r#"
/// Which condition is broken in this run; which are reached at all is noted in a file where one is named.
pub(crate) mod mutant {
    use std::io::Write as _;
    use std::sync::LazyLock;
    use std::sync::atomic::{AtomicBool, Ordering};
    static BROKEN: LazyLock<Option<usize>> = LazyLock::new(|| std::env::var("MUTANT").ok()?.parse().ok());
    static NOTES: LazyLock<Option<String>> = LazyLock::new(|| std::env::var("REACHED").ok());
    static SEEN: [AtomicBool; 1000] = [const { AtomicBool::new(false) }; 1000];
    pub(crate) fn is(number: usize) -> bool {
        if let Some(file) = &*NOTES {
            note(file, number);
        }
        *BROKEN == Some(number)
    }
    fn note(file: &str, number: usize) {
        if SEEN.get(number).is_some_and(|seen| !seen.swap(true, Ordering::Relaxed)) {
            let notes = std::fs::OpenOptions::new().create(true).append(true).open(file);
            let _ = notes.and_then(|mut notes| writeln!(notes, "{number}"));
        }
    }
}
"#;

/// Every condition of a file.
pub fn sites_in(file: &Path, root: &Path) -> Vec<Site> {
    let Ok(mut code) = parse(file) else { return Vec::new() };
    let mut walk = Walk { seen: 0, wanted: &[], sites: Vec::new(), file: super::shown(file, root) };
    walk.visit_file_mut(&mut code);
    walk.sites
}

/// The file with these conditions behind their switches.
pub fn with_switches(file: &Path, wanted: &[(usize, &Site)]) -> io::Result<String> {
    let mut code = parse(file)?;
    let wanted: Vec<(usize, usize)> = wanted.iter().map(|(mutant, site)| (site.number, *mutant)).collect();
    Walk { seen: 0, wanted: &wanted, sites: Vec::new(), file: String::new() }.visit_file_mut(&mut code);
    Ok(prettyplease::unparse(&code))
}

fn parse(file: &Path) -> io::Result<syn::File> {
    syn::parse_file(&fs::read_to_string(file)?).map_err(|error| io::Error::other(format!("{}: {error}", file.display())))
}

struct Walk<'a> {
    seen: usize,
    /// The number of a condition in this file, and the mutant that breaks it.
    wanted: &'a [(usize, usize)],
    sites: Vec<Site>,
    file: String,
}

impl VisitMut for Walk<'_> {
    // Nothing is switched where it is worked out at compile time, nor in the tests themselves.
    fn visit_item_const_mut(&mut self, _: &mut syn::ItemConst) {}
    fn visit_item_static_mut(&mut self, _: &mut syn::ItemStatic) {}
    fn visit_impl_item_const_mut(&mut self, _: &mut syn::ImplItemConst) {}
    fn visit_type_mut(&mut self, _: &mut syn::Type) {}
    fn visit_pat_mut(&mut self, _: &mut syn::Pat) {}

    fn visit_item_mod_mut(&mut self, item: &mut syn::ItemMod) {
        if item.ident != "tests" {
            visit_mut::visit_item_mod_mut(self, item);
        }
    }

    fn visit_item_fn_mut(&mut self, item: &mut syn::ItemFn) {
        if item.sig.constness.is_none() {
            visit_mut::visit_item_fn_mut(self, item);
        }
    }

    fn visit_impl_item_fn_mut(&mut self, item: &mut syn::ImplItemFn) {
        if item.sig.constness.is_none() {
            visit_mut::visit_impl_item_fn_mut(self, item);
        }
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Some((broken, change)) = broken(expr) {
            let number = self.seen;
            self.seen += 1;
            self.sites.push(Site { file: self.file.clone(), number, line: expr.span().start().line, change });
            if let Some((_, mutant)) = self.wanted.iter().find(|(wanted, _)| *wanted == number) {
                // What stands inside is visited first, so that two switches may nest.
                visit_mut::visit_expr_mut(self, expr);
                let whole = quote!((if crate::mutant::is(#mutant) { #broken } else { #expr }));
                if let Ok(switched) = syn::parse2(whole) {
                    *expr = switched;
                }
                return;
            }
        }
        visit_mut::visit_expr_mut(self, expr);
    }
}

/// The expression broken, and what was changed into what; nothing where it is no condition.
fn broken(expr: &Expr) -> Option<(Expr, String)> {
    let (broken, what) = match expr {
        Expr::Binary(binary) => {
            let op = neighbour(&binary.op)?;
            // `if let … && …` is no expression of its own.
            if has_let(&binary.left) || has_let(&binary.right) {
                return None;
            }
            let what = format!("{} -> {}", binary.op.to_token_stream(), op.to_token_stream());
            (Expr::Binary(ExprBinary { op, ..binary.clone() }), what)
        }
        Expr::Unary(ExprUnary { op: UnOp::Not(_), expr, .. }) => ((**expr).clone(), "! left out".to_owned()),
        Expr::MethodCall(call) if call.args.len() == 1 && (call.method == "any" || call.method == "all") => {
            let other = if call.method == "any" { "all" } else { "any" };
            let method = syn::Ident::new(other, call.method.span());
            (Expr::MethodCall(ExprMethodCall { method, ..call.clone() }), format!("{} -> {other}", call.method))
        }
        _ => return None,
    };
    let text: String = expr.to_token_stream().to_string().split_whitespace().collect::<Vec<_>>().join(" ");
    let short: String = text.chars().take(90).collect();
    Some((broken, format!("{what} in `{short}`")))
}

fn neighbour(op: &BinOp) -> Option<BinOp> {
    Some(match op {
        BinOp::Lt(_) => syn::parse_quote!(<=),
        BinOp::Le(_) => syn::parse_quote!(<),
        BinOp::Gt(_) => syn::parse_quote!(>=),
        BinOp::Ge(_) => syn::parse_quote!(>),
        BinOp::Eq(_) => syn::parse_quote!(!=),
        BinOp::Ne(_) => syn::parse_quote!(==),
        BinOp::And(_) => syn::parse_quote!(||),
        BinOp::Or(_) => syn::parse_quote!(&&),
        _ => return None,
    })
}

fn has_let(expr: &Expr) -> bool {
    match expr {
        Expr::Let(_) => true,
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        Expr::Paren(paren) => has_let(&paren.expr),
        _ => false,
    }
}
