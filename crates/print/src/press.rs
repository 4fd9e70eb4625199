//! Sets pages with typst. The fonts are those that typst brings (Libertinus Serif), read once; nothing is fetched, nothing is read from disk.

use std::sync::LazyLock;

use serde_json::Value as Json;
use typst::diag::{FileError, FileResult, SourceDiagnostic};
use typst::foundations::{Bytes, Datetime, Duration, Smart};
use typst::syntax::{FileId, RootedPath, Source, VirtualPath, VirtualRoot};
use typst::text::{Font, FontBook};
use typst::utils::LazyHash;
use typst::{Library, LibraryExt, World};
use typst_layout::PagedDocument;
use typst_pdf::PdfOptions;

use crate::{Design, Paper};

/// The sizes that a sheet is tried in, in points, the largest first.
const SIZES: [f64; 12] = [9.0, 8.5, 8.0, 7.6, 7.2, 6.8, 6.4, 6.0, 5.6, 5.2, 4.8, 4.4];

/// A quick sheet is set smaller until it takes no more pages than this.
const MOST_PAGES: usize = 2;

/// What every paper shares.
struct Press {
    library: LazyHash<Library>,
    book: LazyHash<FontBook>,
    fonts: Vec<Font>,
}

static PRESS: LazyLock<Press> = LazyLock::new(|| {
    let fonts: Vec<Font> = typst_assets::fonts().flat_map(|bytes| Font::iter(Bytes::new(bytes))).collect();
    Press { library: LazyHash::new(Library::default()), book: LazyHash::new(FontBook::from_fonts(&fonts)), fonts }
});

/// One paper on the press.
struct Sheet {
    main: Source,
    files: Vec<(FileId, Bytes)>,
}

pub(crate) fn pdf(paper: &Paper) -> Result<Vec<u8>, String> {
    let set = match paper.design {
        Design::Booklet | Design::Story => document(paper, &paper.data),
        Design::QuickSheet => SIZES
            .iter()
            .map(|size| {
                let mut data = paper.data.clone();
                data["size"] = Json::from(*size);
                document(paper, &data)
            })
            .find(|set| set.as_ref().map_or(true, |document| document.pages().len() <= MOST_PAGES))
            .unwrap_or_else(|| Err(format!("it does not go on {MOST_PAGES} pages"))),
    };
    let options = PdfOptions { creator: Smart::Custom(Some("Sabretache".to_owned())), ..PdfOptions::default() };
    let bytes = set.and_then(|document| typst_pdf::pdf(&document, &options).map_err(|wrong| told(&wrong)));
    // What typst remembers of a paper is of no use to the next, and would grow for ever.
    comemo::evict(0);
    bytes
}

fn document(paper: &Paper, data: &Json) -> Result<PagedDocument, String> {
    let mut files = vec![(id("data.json")?, Bytes::from_string(data.to_string()))];
    for (name, picture) in &paper.pictures {
        files.push((id(name)?, Bytes::from_string(picture.clone())));
    }
    let sheet = Sheet { main: Source::new(id("main.typ")?, design(paper.design).to_owned()), files };
    typst::compile::<PagedDocument>(&sheet).output.map_err(|wrong| told(&wrong))
}

fn design(design: Design) -> &'static str {
    match design {
        Design::Booklet => include_str!("pages/booklet.typ"),
        Design::QuickSheet => include_str!("pages/quick.typ"),
        Design::Story => include_str!("pages/story.typ"),
    }
}

fn id(name: &str) -> Result<FileId, String> {
    let path = VirtualPath::new(name).map_err(|_| format!("{name} is no name of a file"))?;
    Ok(RootedPath::new(VirtualRoot::Project, path).intern())
}

fn told(wrong: &[SourceDiagnostic]) -> String {
    wrong.iter().map(|one| one.message.to_string()).collect::<Vec<_>>().join("; ")
}

impl World for Sheet {
    fn library(&self) -> &LazyHash<Library> {
        &PRESS.library
    }

    fn book(&self) -> &LazyHash<FontBook> {
        &PRESS.book
    }

    fn main(&self) -> FileId {
        self.main.id()
    }

    fn source(&self, id: FileId) -> FileResult<Source> {
        if id == self.main.id() { Ok(self.main.clone()) } else { Err(FileError::AccessDenied) }
    }

    fn file(&self, id: FileId) -> FileResult<Bytes> {
        let found = self.files.iter().find(|(file, _)| *file == id);
        found.map(|(_, bytes)| bytes.clone()).ok_or(FileError::AccessDenied)
    }

    fn font(&self, index: usize) -> Option<Font> {
        PRESS.fonts.get(index).cloned()
    }

    fn today(&self, _: Option<Duration>) -> Option<Datetime> {
        None
    }
}
