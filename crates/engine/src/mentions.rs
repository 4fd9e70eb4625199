//! What something speaks of, asked of its type: every unit, officer, command and piece of ground whose id is in it.
//!
//! An id is a type of its own ([`UnitId`](crate::ids::UnitId) and the others), so nothing has to be searched for in texts:
//! whatever is serialised is walked through, and the ids are picked out where they stand.

use std::collections::BTreeSet;
use std::fmt::Display;

use serde::Serialize;
use serde::ser::{
    Error, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple, SerializeTupleStruct,
    SerializeTupleVariant, Serializer,
};

use crate::ids::Named;

/// The name under which ids are serialised.
pub(crate) const ID: &str = "sabretache id";

/// Everything that something speaks of.
#[must_use]
pub fn mentions<T: Serialize + ?Sized>(thing: &T) -> BTreeSet<Named> {
    let mut found = Found::default();
    // Nothing that an event or offer is made of fails to be walked through; what fails ends the walk.
    let _ = thing.serialize(&mut found);
    found.named
}

#[derive(Default)]
struct Found {
    named: BTreeSet<Named>,
    /// Whether an id is being read.
    id: bool,
}

/// What cannot be serialised at all.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Unserialisable(String);

impl Error for Unserialisable {
    fn custom<T: Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

type Walked = Result<(), Unserialisable>;

macro_rules! says_nothing {
    ($($name:ident: $type:ty),* $(,)?) => { $(
        fn $name(self, _: $type) -> Walked {
            Ok(())
        }
    )* };
}

impl Serializer for &mut Found {
    type Ok = ();
    type Error = Unserialisable;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = Self;
    type SerializeMap = Self;
    type SerializeStruct = Self;
    type SerializeStructVariant = Self;

    says_nothing! {
        serialize_bool: bool, serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64, serialize_f32: f32,
        serialize_f64: f64, serialize_char: char, serialize_bytes: &[u8], serialize_unit_struct: &'static str,
    }

    fn serialize_str(self, token: &str) -> Walked {
        if self.id {
            self.named.extend(Named::parse(token));
        }
        Ok(())
    }

    fn serialize_none(self) -> Walked {
        Ok(())
    }

    fn serialize_unit(self) -> Walked {
        Ok(())
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, _: &'static str) -> Walked {
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Walked {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Walked {
        let outer = std::mem::replace(&mut self.id, name == ID);
        let walked = value.serialize(&mut *self);
        self.id = outer;
        walked
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        value: &T,
    ) -> Walked {
        value.serialize(self)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self, Unserialisable> {
        Ok(self)
    }

    fn serialize_tuple(self, _: usize) -> Result<Self, Unserialisable> {
        Ok(self)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self, Unserialisable> {
        Ok(self)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self, Unserialisable> {
        Ok(self)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self, Unserialisable> {
        Ok(self)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self, Unserialisable> {
        Ok(self)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self, Unserialisable> {
        Ok(self)
    }
}

macro_rules! walks {
    ($($trait:ident::$method:ident($($key:ty)?)),* $(,)?) => { $(
        impl $trait for &mut Found {
            type Ok = ();
            type Error = Unserialisable;

            fn $method<T: Serialize + ?Sized>(&mut self, $(_: $key,)? value: &T) -> Walked {
                value.serialize(&mut **self)
            }

            fn end(self) -> Walked {
                Ok(())
            }
        }
    )* };
}

walks! {
    SerializeSeq::serialize_element(), SerializeTuple::serialize_element(), SerializeTupleStruct::serialize_field(),
    SerializeTupleVariant::serialize_field(), SerializeStruct::serialize_field(&'static str),
    SerializeStructVariant::serialize_field(&'static str),
}

impl SerializeMap for &mut Found {
    type Ok = ();
    type Error = Unserialisable;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Walked {
        key.serialize(&mut **self)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Walked {
        value.serialize(&mut **self)
    }

    fn end(self) -> Walked {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::ids::{CommandId, OfficerId, UnitId};

    #[derive(Serialize)]
    #[serde(rename_all = "snake_case")]
    enum Event {
        Charged { unit: UnitId, at: Option<UnitId>, with: Vec<(OfficerId, u8)> },
        Said(String),
        Handed(BTreeMap<UnitId, CommandId>),
        Named(Named),
        Over,
    }

    fn of(event: &Event) -> Vec<String> {
        mentions(event).iter().map(Named::to_string).collect()
    }

    #[test]
    fn ids_are_found_wherever_they_stand() {
        let charged = Event::Charged { unit: UnitId(3), at: Some(UnitId(4)), with: vec![(OfficerId(1), 9)] };
        assert_eq!(of(&charged), ["#3", "#4", "@1"]);
        assert_eq!(of(&Event::Handed(BTreeMap::from([(UnitId(2), CommandId(0))]))), ["#2", "%0"]);
        assert_eq!(of(&Event::Named(Named::Officer(OfficerId(7)))), ["@7"]);
        assert!(of(&Event::Over).is_empty());
    }

    #[test]
    fn a_text_that_looks_like_an_id_is_none() {
        assert!(of(&Event::Said("#3".into())).is_empty());
    }

    #[test]
    fn files_do_not_show_that_ids_are_marked() {
        let json = serde_json::to_string(&Event::Handed(BTreeMap::from([(UnitId(2), CommandId(0))]))).unwrap();
        assert_eq!(json, r##"{"handed":{"#2":"%0"}}"##);
    }
}
