/**
 * The status and words of gateways that have the model, but not in this dialect. A status of 404 or 405 says it for every provider.
 *
 * | Gateway | Status | Source |
 * |---|---|---|
 * | One Hub, done-hub | 501 `unsupported_api` | https://github.com/MartialBE/one-hub/blob/main/providers/base/common.go |
 * | New API | 500 `convert_request_failed` "not implemented" | https://github.com/QuantumNous/new-api/blob/main/relay/channel/adapter.go |
 * | sub2api | 403 "does not allow /v1/messages dispatch", 404 "is not supported for this platform" | https://github.com/Wei-Shaw/sub2api |
 * | sub2api, Gemini's paths | 400 "API key group platform is not gemini" | https://github.com/Wei-Shaw/sub2api |
 * | this gateway | 501 `operation_unsupported` | docs/errors.md |
 */
export const missingDialect =
  /^501 |\bunsupported_api$|\bnot implemented\b.* convert_request_failed$|\bdoes not allow \S+ dispatch\b|\bis not supported for this platform\b|\bgroup platform is not\b/is
