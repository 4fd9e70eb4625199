//! Builds anew when the web client was built anew, since it is embedded.

fn main() {
    println!("cargo:rerun-if-changed=../../web/dist");
}
