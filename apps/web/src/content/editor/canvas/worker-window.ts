// mjml-browser looks for its global object with code from text, which the content security policy forbids, or as `window`.
Object.assign(self, { window: self });
