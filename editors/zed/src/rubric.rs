//! Starts the language server for eval files: `rubric-lsp` as the settings name it, or as it is found on the PATH.

use zed_extension_api::{self as zed, serde_json, settings::LspSettings, LanguageServerId, Result};

const COMMAND: &str = "rubric-lsp";

struct RubricExtension;

impl zed::Extension for RubricExtension {
    fn new() -> Self {
        Self
    }

    fn language_server_command(
        &mut self,
        server: &LanguageServerId,
        worktree: &zed::Worktree,
    ) -> Result<zed::Command> {
        let chosen = settings_of(server, worktree).and_then(|settings| settings.binary);
        let (path, arguments) =
            chosen.map_or((None, None), |binary| (binary.path, binary.arguments));
        let command = path.or_else(|| worktree.which(COMMAND)).ok_or_else(|| {
            format!("{COMMAND} not found. Install it with `pip install rubric-lsp`, or set its path in lsp.{COMMAND}.binary.path")
        })?;
        Ok(zed::Command {
            command,
            args: arguments.unwrap_or_else(|| vec!["--stdio".to_string()]),
            env: worktree.shell_env(),
        })
    }

    fn language_server_initialization_options(
        &mut self,
        server: &LanguageServerId,
        worktree: &zed::Worktree,
    ) -> Result<Option<serde_json::Value>> {
        Ok(settings_of(server, worktree).and_then(|settings| settings.initialization_options))
    }

    fn language_server_workspace_configuration(
        &mut self,
        server: &LanguageServerId,
        worktree: &zed::Worktree,
    ) -> Result<Option<serde_json::Value>> {
        Ok(settings_of(server, worktree).and_then(|settings| settings.settings))
    }
}

/// Returns what the user has set for the server.
fn settings_of(server: &LanguageServerId, worktree: &zed::Worktree) -> Option<LspSettings> {
    LspSettings::for_worktree(server.as_ref(), worktree).ok()
}

zed::register_extension!(RubricExtension);
