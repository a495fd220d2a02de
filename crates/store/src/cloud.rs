//! Object stores over the network, through the crate `object_store`: S3-compatible stores, Google
//! Cloud and Azure.
//!
//! Credentials come from the providers' environment variables (`AWS_ACCESS_KEY_ID`, `AWS_ENDPOINT`,
//! `GOOGLE_APPLICATION_CREDENTIALS`, `AZURE_STORAGE_ACCOUNT_NAME`, ...). The program does not save
//! credentials.

use crate::StoreError;
use crate::objects::Objects;
use object_store::path::Path;
use object_store::{Error, ObjectStore, ObjectStoreExt, ObjectStoreScheme, PutMode, PutOptions, PutPayload};
use std::collections::BTreeSet;
use std::fmt;
use tokio::runtime::Runtime;

/// An object store, and the prefix before all object names.
pub(crate) struct Cloud {
    url: String,
    store: Box<dyn ObjectStore>,
    prefix: Path,
    runtime: Runtime,
}

impl fmt::Debug for Cloud {
    /// Prints only the URL, because `store` may hold credentials.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.url)
    }
}

/// Returns true for the names of environment variables that set up a provider's store.
fn is_of_a_provider(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    ["AWS_", "AZURE_", "GOOGLE_"].iter().any(|prefix| name.starts_with(prefix))
        || ["IDENTITY_ENDPOINT", "MSI_ENDPOINT"].contains(&name.as_str())
}

impl Cloud {
    pub(crate) fn connect(url: &str) -> Result<Cloud, StoreError> {
        let unusable = |reason: String| StoreError::Unusable(format!("{url}: {reason}"));
        let parsed = url::Url::parse(url).map_err(|error| unusable(error.to_string()))?;
        let known = [
            ObjectStoreScheme::AmazonS3,
            ObjectStoreScheme::GoogleCloudStorage,
            ObjectStoreScheme::MicrosoftAzure,
        ];
        match ObjectStoreScheme::parse(&parsed) {
            Ok((scheme, _)) if known.contains(&scheme) => {}
            _ => return Err(unusable("must begin with s3://, gs://, az:// or file:///".to_owned())),
        }
        // The store would also take names such as TOKEN and ENDPOINT, which belong to other programs.
        // A value that is not text cannot be a setting.
        let settings = std::env::vars_os().filter_map(|(key, value)| {
            let key = key.into_string().ok().filter(|key| is_of_a_provider(key))?;
            Some((key.to_ascii_lowercase(), value.into_string().ok()?))
        });
        let (store, prefix) =
            object_store::parse_url_opts(&parsed, settings).map_err(|error| unusable(error.to_string()))?;
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime
            .map_err(|error| StoreError::Unreachable { place: url.to_owned(), reason: error.to_string() })?;
        Ok(Cloud { url: url.to_owned(), store, prefix, runtime })
    }

    fn path(&self, name: &str) -> Result<Path, StoreError> {
        let below = Path::parse(name).map_err(|error| self.failed(name, error.into()))?;
        Ok(self.prefix.parts().chain(below.parts()).collect())
    }

    fn failed(&self, name: &str, error: Error) -> StoreError {
        let (place, reason) = (format!("{}/{name}", self.url), error.to_string());
        match error {
            // Reading a missing object is no error, so it is the bucket that is missing.
            Error::NotFound { .. } | Error::NotSupported { .. } | Error::InvalidPath { .. } => {
                StoreError::Unusable(format!("{place}: {reason}"))
            }
            _ => StoreError::Unreachable { place, reason },
        }
    }
}

impl Objects for Cloud {
    fn get(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let path = self.path(name)?;
        let read = async { self.store.get(&path).await?.bytes().await };
        match self.runtime.block_on(read) {
            Ok(bytes) => Ok(Some(bytes.into())),
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(self.failed(name, error)),
        }
    }

    fn put(&self, name: &str, bytes: Vec<u8>) -> Result<(), StoreError> {
        let path = self.path(name)?;
        let written = self.runtime.block_on(self.store.put(&path, PutPayload::from(bytes)));
        written.map(drop).map_err(|error| self.failed(name, error))
    }

    fn create(&self, name: &str, bytes: Vec<u8>) -> Result<bool, StoreError> {
        let path = self.path(name)?;
        let options = PutOptions::from(PutMode::Create);
        match self.runtime.block_on(self.store.put_opts(&path, PutPayload::from(bytes), options)) {
            Ok(_) => Ok(true),
            Err(Error::AlreadyExists { .. } | Error::Precondition { .. }) => Ok(false),
            Err(error) => Err(self.failed(name, error)),
        }
    }

    fn list(&self, folder: &str) -> Result<BTreeSet<String>, StoreError> {
        let path = self.path(folder)?;
        let listed = self.runtime.block_on(self.store.list_with_delimiter(Some(&path)));
        let listed = listed.map_err(|error| self.failed(folder, error))?;
        Ok(listed.objects.iter().filter_map(|object| object.location.filename().map(str::to_owned)).collect())
    }
}
