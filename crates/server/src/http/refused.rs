//! Requests that are not done, and bodies whose faults are explained.

use axum::Json;
use axum::extract::FromRequest;
use axum::extract::rejection::JsonRejection;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use sabretache_engine::scenario::Diagnostics;

use crate::hall::HallError;
use crate::messages::Problem;
use crate::store::StoreError;

/// A request that was not done, and why.
#[derive(Debug)]
pub(crate) struct Refused {
    status: StatusCode,
    problem: Box<Problem>,
}

impl Refused {
    pub(crate) fn new(status: StatusCode, why: impl Into<String>) -> Self {
        Self { status, problem: Box::new(Problem { why: why.into(), diagnostics: Diagnostics::new() }) }
    }

    /// With all that is wrong with what was sent.
    pub(crate) fn with(status: StatusCode, problem: Problem) -> Self {
        Self { status, problem: Box::new(problem) }
    }

    pub(crate) fn forbidden(why: &str) -> Self {
        Self::new(StatusCode::FORBIDDEN, why)
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        (self.status, Json(self.problem)).into_response()
    }
}

impl From<HallError> for Refused {
    fn from(error: HallError) -> Self {
        match error {
            HallError::Unusable { why, diagnostics } => {
                Self { status: StatusCode::UNPROCESSABLE_ENTITY, problem: Box::new(Problem { why, diagnostics }) }
            }
            other => Self::new(StatusCode::INTERNAL_SERVER_ERROR, other.to_string()),
        }
    }
}

impl From<StoreError> for Refused {
    fn from(error: StoreError) -> Self {
        Self::from(HallError::from(error))
    }
}

impl From<JsonRejection> for Refused {
    fn from(rejection: JsonRejection) -> Self {
        Self::new(rejection.status(), rejection.body_text())
    }
}

/// A body in JSON whose faults are explained like every other.
#[derive(FromRequest)]
#[from_request(via(Json), rejection(Refused))]
pub(crate) struct Body<T>(pub(crate) T);
