//! In place of Parquet files, where the program is built without them.

use crate::table::Table;

const NONE: &str = "this program was built without Parquet files (the feature `parquet`)";

pub(crate) fn encode(_table: &Table, _about: &str) -> Result<Vec<u8>, String> {
    Err(NONE.into())
}

pub(crate) fn decode(_bytes: Vec<u8>) -> Result<(Table, String), String> {
    Err(NONE.into())
}
