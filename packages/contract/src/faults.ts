/**
 * Every error that the product returns on purpose: a stable code, its HTTP status and one English sentence. Codes are
 * `subject.snake_case`. `docs/errors.md` explains each code, and the console translates it.
 */
export const faults = {
  'request.invalid': [400, 'The request is not valid.'],
  'request.unknown_field': [422, 'A field of the request is not known here.'],
  'request.unreadable': [400, 'The body is not valid JSON.'],
  'request.form': [400, 'The form cannot be read.'],
  'request.too_large': [413, 'The body is larger than this server accepts.'],
  'request.too_deep': [400, 'The body is nested too deeply.'],
  'request.media_type': [415, 'This content type or encoding is not accepted here.'],
  'request.ambiguous': [
    400,
    'A field that decides the price appears twice or in another spelling.',
  ],
  'request.already_charged': [
    409,
    'This Idempotency-Key was already charged and its answer is gone.',
  ],
  'request.in_progress': [409, 'A request with this Idempotency-Key is still running.'],
  'request.key_reused': [409, 'This Idempotency-Key was used with another request.'],
  'route.unknown': [404, 'There is nothing at this address.'],
  'route.method': [405, 'This address does not answer this method.'],
  'route.websocket': [426, 'This address does not accept a WebSocket. Send a POST request.'],
  'socket.stream_id': [
    400,
    "The 'stream_id' must have 1 to 256 letters, digits, underscores, hyphens and periods.",
  ],
  'socket.stream_limit': [400, 'This connection has used as many stream ids as it may.'],
  'socket.expired': [
    400,
    'This connection has lasted as long as it may (60 minutes). Open a new one to continue.',
  ],
  'session.missing': [401, 'Sign in first.'],
  'session.cross_origin': [403, 'The request did not come from this site.'],
  'access.denied': [403, 'Your role does not allow this.'],
  'sign_in.refused': [400, 'The name or the password is wrong, or the account is disabled.'],
  'sign_in.locked': [429, 'Too many attempts for this account. Try again later.'],
  'password.common': [422, 'This password is too common. Choose another.'],
  'password.wrong': [400, 'The current password is wrong.'],
  'password.change_needed': [403, 'Change your password first.'],
  'rate.critical': [429, 'Too many attempts. Try again later.'],
  'rate.api': [429, 'Too many requests. Try again later.'],
  'rate.reveal': [429, 'Too many keys were revealed. Try again later.'],
  'rate.requests': [429, 'The request rate of your group is reached. Try again later.'],
  'rate.requests_day': [429, 'The requests of this day are used up.'],
  'rate.tokens': [429, 'The tokens of this minute are used up. Try again later.'],
  'rate.concurrent': [429, 'Too many requests run at once. Wait for one to end.'],
  'resource.missing': [404, 'It does not exist, or is not yours.'],
  'resource.exists': [409, 'Something with this name exists already.'],
  'resource.in_use': [409, 'It is still in use.'],
  'resource.built_in': [409, 'It is built in and cannot be changed.'],
  'name.reserved': [422, 'This name is reserved, or looks like a reserved one. Choose another.'],
  'user.rank': [403, 'This account is of the same or a higher role.'],
  'group.unknown': [422, 'This group does not exist or is not open to you.'],
  'setting.unknown': [422, 'This setting does not exist.'],
  'setting.invalid': [422, 'This value does not fit the setting.'],
  'channel.key_missing': [422, 'A channel needs a key.'],
  'channel.key_invalid': [422, 'A key does not have the form that the channel type needs.'],
  'channel.option_invalid': [422, 'An option does not fit the channel type.'],
  'channel.secrets_needed': [
    422,
    'A stored secret is sent only to the address that it was entered for.',
  ],
  'channel.test_failed': [422, 'The test call failed.'],
  'channel.round_running': [409, 'This is running already.'],
  'channel.balance_unavailable': [422, 'The provider did not report its balance.'],
  'channel.models_unavailable': [422, 'The provider did not give its model list.'],
  'provider.unknown': [422, 'This channel type does not exist or cannot be used yet.'],
  'address.forbidden': [422, 'This address may not be called from here.'],
  'quota.below_zero': [422, 'This would take more than the balance.'],
  'redemption.unknown': [404, 'There is no such redemption code.'],
  'redemption.used': [409, 'This redemption code was used already.'],
  'redemption.disabled': [422, 'This redemption code is disabled.'],
  'redemption.expired': [422, 'This redemption code has expired.'],
  'registration.closed': [403, 'Registration is closed.'],
  'mail.unset': [422, 'No mail server is set up yet.'],
  'mail.failed': [422, 'The mail server did not take the message.'],
  'token.too_many': [422, 'This account has as many API keys as it may have. Delete one first.'],
  'token.still_exhausted': [422, 'Raise the cap or the expiry time first.'],
  'caller.unknown': [401, 'This API key is not valid.'],
  'caller.disabled': [401, 'The owner of this API key is disabled.'],
  'token.disabled': [401, 'This API key is disabled.'],
  'token.expired': [401, 'This API key has expired.'],
  'token.exhausted': [403, 'The quota of this API key is used up.'],
  'token.ip': [403, 'This API key may not be used from this address.'],
  'token.model': [404, 'This API key may not use this model.'],
  'token.group': [
    403,
    'The group of this API key does not exist, is disabled, or is not open to its owner.',
  ],
  'quota.exhausted': [402, 'The account balance does not cover this request.'],
  'quota.day': [402, 'The spending limit of this day is reached.'],
  'quota.month': [402, 'The spending limit of this month is reached.'],
  'account.frozen': [403, 'This account is frozen.'],
  'price.changed': [409, 'Prices were changed in the meantime. Look at the preview again.'],
  'price.list_unavailable': [422, 'This is no price list that can be read.'],
  'price.source': [422, 'The price list could not be fetched.'],
  'price.unknown': [422, 'This model has no price yet, so it cannot be used.'],
  'model.unknown': [404, 'No channel serves this model.'],
  'channel.none': [503, 'No channel for this model is available at the moment.'],
  'response.unknown': [404, 'There is no such response, or it is not yours.'],
  'response.previous': [400, 'The response that this one should continue is not known.'],
  'response.unavailable': [410, 'The account that stores this response is no longer available.'],
  'response.running': [409, 'This response is still being made.'],
  'operation.unsupported': [501, 'No channel for this model supports this operation.'],
  'upstream.unreachable': [502, 'The provider could not be reached.'],
  'upstream.timeout': [504, 'The provider did not answer in time.'],
  'upstream.busy': [429, 'The provider is overloaded. Try again later.'],
  'upstream.refused': [502, 'The provider refused the request.'],
  'upstream.caller': [400, 'The provider refused the request as invalid.'],
  'upstream.context': [400, 'The prompt is too long for this model.'],
  'upstream.credential': [502, 'The provider refused the credential of this channel.'],
  'upstream.failed': [502, 'The provider failed.'],
  'upstream.invalid_response': [502, 'The provider sent something that cannot be read.'],
  'upstream.broken': [502, 'The provider broke off before the end of its answer.'],
  'stream.too_long': [502, 'The stream became longer than allowed.'],
  'stream.quota': [402, 'The stream was ended where the balance ended.'],
  'server.stopping': [503, 'This server is stopping. Try again.'],
  'server.busy': [503, 'This server is busy. Try again later.'],
  'server.ledger': [503, 'Charges cannot be recorded at the moment, so nothing is started.'],
  'server.storage_full': [
    507,
    'The disk of the server or of its database is full. Free space, then try again.',
  ],
  'server.failed': [500, 'Something failed on this server.'],
  'env.invalid': [500, 'The environment of this server is not valid.'],
} as const satisfies Record<string, readonly [status: number, sentence: string]>

export type FaultCode = keyof typeof faults

type FaultOptions = {
  /** For logs only. Never sent to a caller. */
  detail?: string
  /** Appended to the sentence for the caller, such as a field, a model or advice. Must not contain secrets. */
  hint?: string
  /** Overrides the status of the table, to forward an upstream's status. */
  status?: number
  /** Set if a later retry may succeed. */
  retryAfterSeconds?: number
  cause?: unknown
}

/** The only error that is thrown on purpose. */
export class Fault extends Error {
  readonly code: FaultCode
  readonly status: number
  readonly detail: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: FaultCode,
    { detail, hint, status, retryAfterSeconds, cause }: FaultOptions = {},
  ) {
    super(hint ? `${faults[code][1]} ${hint}` : faults[code][1], { cause })
    this.name = 'Fault'
    this.code = code
    this.status = status ?? faults[code][0]
    this.detail = detail
    this.retryAfterSeconds = retryAfterSeconds
  }
}
