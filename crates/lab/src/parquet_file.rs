//! Tables as Parquet files, with what the run is about in the file's own metadata.

use std::sync::Arc;

use parquet::basic::Compression;
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::record::Field;
use parquet::schema::parser::parse_message_type;

use crate::table::{Cells, Table};

/// The key under which the file keeps what the run is about.
const ABOUT: &str = "sabretache.run";

/// The bytes of a Parquet file.
pub(crate) fn encode(table: &Table, about: &str) -> Result<Vec<u8>, String> {
    let fields = table.columns.iter().map(|(name, cells)| match cells {
        Cells::Whole(_) => format!("optional int64 {name};"),
        Cells::Real(_) => format!("required double {name};"),
        Cells::Text(_) => format!("optional binary {name} (utf8);"),
        Cells::Flag(_) => format!("required boolean {name};"),
    });
    let schema = format!("message {} {{ {} }}", table.name, fields.collect::<Vec<_>>().join(" "));
    let text = |error: parquet::errors::ParquetError| error.to_string();
    let schema = Arc::new(parse_message_type(&schema).map_err(text)?);
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_created_by("sabretache".into())
        .set_key_value_metadata(Some(vec![KeyValue::new(ABOUT.to_owned(), about.to_owned())]))
        .build();
    let mut bytes = Vec::new();
    let mut file = SerializedFileWriter::new(&mut bytes, schema, Arc::new(properties)).map_err(text)?;
    let mut group = file.next_row_group().map_err(text)?;
    for (_, cells) in &table.columns {
        write_column(&mut group, cells).map_err(text)?;
    }
    group.close().map_err(text)?;
    file.close().map_err(text)?;
    Ok(bytes)
}

fn write_column<W: std::io::Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    cells: &Cells,
) -> parquet::errors::Result<()> {
    let Some(mut column) = group.next_column()? else { return Ok(()) };
    match cells {
        Cells::Whole(cells) => {
            let levels: Vec<i16> = cells.iter().map(|cell| i16::from(cell.is_some())).collect();
            let values: Vec<i64> = cells.iter().flatten().copied().collect();
            column.typed::<Int64Type>().write_batch(&values, Some(&levels), None)?;
        }
        Cells::Text(cells) => {
            let levels: Vec<i16> = cells.iter().map(|cell| i16::from(cell.is_some())).collect();
            let values: Vec<ByteArray> = cells.iter().flatten().map(|text| ByteArray::from(text.as_str())).collect();
            column.typed::<ByteArrayType>().write_batch(&values, Some(&levels), None)?;
        }
        Cells::Real(cells) => {
            column.typed::<DoubleType>().write_batch(cells, None, None)?;
        }
        Cells::Flag(cells) => {
            column.typed::<BoolType>().write_batch(cells, None, None)?;
        }
    }
    column.close()
}

/// The table of a Parquet file, and what its run is about.
pub(crate) fn decode(bytes: Vec<u8>) -> Result<(Table, String), String> {
    let text = |error: parquet::errors::ParquetError| error.to_string();
    let reader = SerializedFileReader::new(bytes::Bytes::from(bytes)).map_err(text)?;
    let metadata = reader.metadata().file_metadata();
    let about = metadata.key_value_metadata().into_iter().flatten().find(|pair| pair.key == ABOUT);
    let about = about.and_then(|pair| pair.value.clone()).ok_or("this is no file of a run")?;
    let mut table = Table::new(metadata.schema().name());
    for field in metadata.schema().get_fields() {
        let cells = match field.get_physical_type() {
            parquet::basic::Type::INT64 => Cells::Whole(Vec::new()),
            parquet::basic::Type::DOUBLE => Cells::Real(Vec::new()),
            parquet::basic::Type::BOOLEAN => Cells::Flag(Vec::new()),
            _ => Cells::Text(Vec::new()),
        };
        table = table.with(field.name(), cells);
    }
    for row in reader.get_row_iter(None).map_err(text)? {
        for ((_, cells), (name, field)) in table.columns.iter_mut().zip(row.map_err(text)?.get_column_iter()) {
            match (cells, field) {
                (Cells::Whole(cells), Field::Long(number)) => cells.push(Some(*number)),
                (Cells::Whole(cells), Field::Null) => cells.push(None),
                (Cells::Real(cells), Field::Double(number)) => cells.push(*number),
                (Cells::Text(cells), Field::Str(text)) => cells.push(Some(text.clone())),
                (Cells::Text(cells), Field::Null) => cells.push(None),
                (Cells::Flag(cells), Field::Bool(yes)) => cells.push(*yes),
                (_, other) => return Err(format!("column {name} holds {other}")),
            }
        }
    }
    Ok((table, about))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_comes_back_as_it_was() {
        let table = Table::new("battles")
            .with("n", Cells::Whole(vec![Some(i64::MIN), None, Some(3)]))
            .with("x", Cells::Real(vec![0.1, -0.0, 1e300]))
            .with("said", Cells::Text(vec![None, Some("Léger \"x\"".into()), Some(String::new())]))
            .with("yes", Cells::Flag(vec![true, false, true]));
        let bytes = encode(&table, "{}").unwrap();
        assert_eq!(decode(bytes.clone()).unwrap(), (table.clone(), "{}".to_owned()));
        assert_eq!(encode(&table, "{}").unwrap(), bytes, "the same table, the same bytes");
        assert!(decode(b"PAR1 nonsense".to_vec()).is_err());
    }
}
