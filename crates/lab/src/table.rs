//! A table with typed columns, written as CSV or Parquet.

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// Its columns, all of the same length.
    pub columns: Vec<(String, Cells)>,
}

/// The cells of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Cells {
    /// Whole numbers, some of them missing.
    Whole(Vec<Option<i64>>),
    /// Fractions.
    Real(Vec<f64>),
    /// Text, some of it missing.
    Text(Vec<Option<String>>),
    /// Yes or no.
    Flag(Vec<bool>),
}

impl Cells {
    /// How many cells.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Whole(cells) => cells.len(),
            Self::Real(cells) => cells.len(),
            Self::Text(cells) => cells.len(),
            Self::Flag(cells) => cells.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn cell(&self, n: usize) -> String {
        match self {
            Self::Whole(cells) => cells[n].map_or(String::new(), |number| number.to_string()),
            Self::Real(cells) => cells[n].to_string(),
            Self::Text(cells) => cells[n].as_deref().map_or(String::new(), quoted),
            Self::Flag(cells) => cells[n].to_string(),
        }
    }
}

impl Table {
    /// A table without columns.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), columns: Vec::new() }
    }

    /// The table with one more column.
    #[must_use]
    pub fn with(mut self, name: &str, cells: Cells) -> Self {
        self.columns.push((name.to_owned(), cells));
        self
    }

    /// The cells of a column.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<&Cells> {
        self.columns.iter().find(|(other, _)| other == name).map(|(_, cells)| cells)
    }

    pub(crate) fn whole(&self, name: &str) -> Option<&[Option<i64>]> {
        if let Some(Cells::Whole(cells)) = self.column(name) { Some(cells) } else { None }
    }

    pub(crate) fn reals(&self, name: &str) -> Option<&[f64]> {
        if let Some(Cells::Real(cells)) = self.column(name) { Some(cells) } else { None }
    }

    pub(crate) fn text(&self, name: &str) -> Option<&[Option<String>]> {
        if let Some(Cells::Text(cells)) = self.column(name) { Some(cells) } else { None }
    }

    pub(crate) fn flags(&self, name: &str) -> Option<&[bool]> {
        if let Some(Cells::Flag(cells)) = self.column(name) { Some(cells) } else { None }
    }

    /// The table as CSV after RFC 4180, with a line of names. What is missing is empty.
    #[must_use]
    pub fn to_csv(&self) -> String {
        let line = |cells: Vec<String>| cells.join(",") + "\n";
        let mut text = line(self.columns.iter().map(|(name, _)| name.clone()).collect());
        let rows = self.columns.first().map_or(0, |(_, cells)| cells.len());
        for n in 0..rows {
            text += &line(self.columns.iter().map(|(_, cells)| cells.cell(n)).collect());
        }
        text
    }
}

fn quoted(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_break_a_line_is_quoted() {
        let table = Table::new("t")
            .with("n", Cells::Whole(vec![Some(1), None]))
            .with("said", Cells::Text(vec![Some("a \"b\", c".into()), Some("plain".into())]))
            .with("x", Cells::Real(vec![0.5, -2.0]))
            .with("yes", Cells::Flag(vec![true, false]));
        assert_eq!(table.to_csv(), "n,said,x,yes\n1,\"a \"\"b\"\", c\",0.5,true\n,plain,-2,false\n");
    }
}
