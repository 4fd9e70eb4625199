//! A real PostgreSQL, from Debian's package (`make postgres` installs it), with a cluster of its own in a folder that goes away with the
//! test.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// A cluster in a folder, reached by a socket in it.
pub(crate) struct Cluster {
    folder: tempfile::TempDir,
    program: std::process::Child,
}

/// The folder of PostgreSQL's programs, of the latest version that is installed.
fn programs() -> PathBuf {
    let versions = std::fs::read_dir("/usr/lib/postgresql").expect("PostgreSQL is wanted: make postgres installs it");
    let newest =
        versions.flatten().map(|one| one.path()).max().expect("PostgreSQL is wanted: make postgres installs it");
    newest.join("bin")
}

/// PostgreSQL does not run as root: then it runs as the user that its package brought.
fn as_somebody(program: &Path) -> Command {
    if std::fs::metadata("/root").is_ok() && Command::new("id").arg("-u").output().unwrap().stdout == b"0\n" {
        let mut command = Command::new("setpriv");
        command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]).arg(program);
        return command;
    }
    Command::new(program)
}

impl Cluster {
    pub(crate) fn start() -> Self {
        let folder = tempfile::Builder::new().prefix("sabretache-pg").tempdir().unwrap();
        std::fs::set_permissions(folder.path(), std::os::unix::fs::PermissionsExt::from_mode(0o777)).unwrap();
        let data = folder.path().join("data");
        let made = as_somebody(&programs().join("initdb"))
            .args(["--auth=trust", "--username=sabretache", "--encoding=UTF8", "--no-sync", "-D"])
            .arg(&data)
            .stdout(Stdio::null())
            .status()
            .unwrap();
        assert!(made.success(), "initdb");
        let program = as_somebody(&programs().join("postgres"))
            .args(["-c", "listen_addresses=", "-c", "fsync=off", "-c", "max_connections=200", "-c"])
            .arg(format!("unix_socket_directories={}", folder.path().display()))
            .arg("-D")
            .arg(&data)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let cluster = Self { folder, program };
        while cluster.ask("SELECT 1").is_none() {
            std::thread::sleep(Duration::from_millis(50));
        }
        cluster
    }

    pub(crate) fn address(&self) -> String {
        format!("postgres:///postgres?host={}&user=sabretache", self.folder.path().display())
    }

    /// One value, asked by PostgreSQL's own client.
    pub(crate) fn ask(&self, query: &str) -> Option<String> {
        let mut client = Command::new("psql");
        client.args(["-qtA", "-U", "sabretache", "-d", "postgres", "-c", query, "-h"]).arg(self.folder.path());
        let asked = client.stderr(Stdio::null()).output().ok()?;
        asked.status.success().then(|| String::from_utf8_lossy(&asked.stdout).trim().to_owned())
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let _ = Command::new("kill").args(["-INT", &self.program.id().to_string()]).status();
        let _ = self.program.wait();
    }
}
