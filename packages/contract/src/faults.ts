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
  'request.too_slow': [400, 'The database needs too long for this. Choose a shorter period.'],
  'request.media_type': [415, 'This content type or encoding is not accepted here.'],
  'request.ambiguous': [
    400,
    'A field that decides the price appears twice or in another spelling.',
  ],
  'request.content': [400, 'The request contains content that is not allowed here.'],
  'request.steering': [
    400,
    'A field of the request would steer a gateway behind this one. It is not passed on here.',
  ],
  'request.link': [400, 'A linked file could not be fetched.'],
  'request.price_field': [
    400,
    'A field of the request changes the price of the provider, and no price is set for it.',
  ],
  'request.already_charged': [
    409,
    'This Idempotency-Key was already charged and its answer is gone.',
  ],
  'request.in_progress': [409, 'A request with this Idempotency-Key is still running.'],
  'request.key_reused': [409, 'This Idempotency-Key was used with another request.'],
  'route.unknown': [404, 'There is nothing at this address.'],
  'route.method': [405, 'This address does not answer this method.'],
  'route.disabled': [403, 'This interface is switched off here.'],
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
  'session.direct': [
    501,
    'Temporary keys and sessions that bypass this server are not offered, because nobody would be charged for them. Open the WebSocket with an API key.',
  ],
  'session.missing': [401, 'Sign in first.'],
  'session.cross_origin': [403, 'The request did not come from this site.'],
  'access.denied': [403, 'Your role does not allow this.'],
  'access.root_needed': [
    403,
    'Only a super administrator may do this, unless a setting allows it to administrators.',
  ],
  'access.proof_needed': [
    403,
    'Show that it is you by POST /api/user/proof, then send this again within ten minutes.',
  ],
  'sign_in.refused': [400, 'The name or the password is wrong, or the account is disabled.'],
  'sign_in.password_off': [403, 'Signing in with a password is switched off here.'],
  'sign_in.locked': [429, 'Too many attempts for this account. Try again later.'],
  'second_factor.needed': [403, 'This needs a code of your second factor.'],
  'second_factor.wrong': [400, 'The code is wrong or was used already.'],
  'second_factor.expired': [400, 'This sign-in has expired. Begin again.'],
  'second_factor.enabled': [409, 'The second factor is enabled already.'],
  'second_factor.missing': [404, 'The second factor is not set up.'],
  'passkey.disabled': [403, 'Passkeys are switched off on this site.'],
  'passkey.refused': [400, 'The passkey was not accepted.'],
  'passkey.expired': [400, 'This request has expired or was used already. Try again.'],
  'passkey.exists': [409, 'This authenticator has a passkey of an account already.'],
  'passkey.limit': [409, 'This account has as many passkeys as it may have.'],
  'sign_in.last_way': [
    409,
    'This is the last way to sign in to the account. Set up another first.',
  ],
  'wechat.code_wrong': [400, 'The code of the official account is wrong or has expired.'],
  'turnstile.missing': [400, 'The bot check is still running. Try again in a few seconds.'],
  'turnstile.refused': [400, 'The bot check refused this request. Try again.'],
  'turnstile.unavailable': [503, 'The bot check cannot be reached. Try again later.'],
  'oauth.disabled': [403, 'This way to sign in is switched off on this site.'],
  'oauth.state': [403, 'This sign-in has expired or was begun elsewhere. Begin again.'],
  'oauth.refused': [400, 'The provider did not confirm this sign-in.'],
  'oauth.unreachable': [502, 'The provider of this sign-in cannot be reached.'],
  'oauth.secret_needed': [422, 'Another address needs the client secret again.'],
  'oauth.bound': [409, 'This account of the provider belongs to another user already.'],
  'oauth.bound_other': [409, 'You have bound another account of this provider. Remove it first.'],
  'oauth.not_bound': [404, 'No account of this provider is bound.'],
  'oauth.email_taken': [
    409,
    'An account with this e-mail address exists. Sign in to it and bind the provider in the profile.',
  ],
  'session.not_recent': [403, 'Sign in again before you do this.'],
  'password.common': [422, 'This password is too common. Choose another.'],
  'password.wrong': [400, 'The current password is wrong.'],
  'password.change_needed': [403, 'Change your password first.'],
  'rate.critical': [429, 'Too many attempts. Try again later.'],
  'rate.api': [429, 'Too many requests. Try again later.'],
  'rate.orders': [429, 'Too many orders. Try again later.'],
  'rate.reveal': [429, 'Too many keys were revealed. Try again later.'],
  'rate.requests': [429, 'Too many requests within a minute. Try again later.'],
  'rate.requests_day': [429, 'The requests of this day are used up.'],
  'rate.tokens': [429, 'The tokens of this minute are used up. Try again later.'],
  'rate.concurrent': [429, 'Too many requests run at once. Wait for one to end.'],
  'resource.missing': [404, 'It does not exist, or is not yours.'],
  'resource.exists': [409, 'Something with this name exists already.'],
  'resource.in_use': [409, 'It is still in use.'],
  'resource.built_in': [409, 'It is built in and cannot be changed.'],
  'name.reserved': [422, 'This name is reserved, or looks like a reserved one. Choose another.'],
  'user.rank': [403, 'This account is of the same or a higher role.'],
  'token.in_use': [409, 'Calls with this key are running. Try again when they have ended.'],
  'user.last_root': [409, 'The last super administrator cannot be deleted.'],
  'group.unknown': [422, 'This group does not exist or is not open to you.'],
  'setting.unknown': [422, 'This setting does not exist.'],
  'setting.incomplete': [422, 'Another setting is needed first.'],
  'setting.address_needed': [
    422,
    'This needs the public address of the site, which is not set or leads to this machine only.',
  ],
  'setting.invalid': [422, 'This value does not fit the setting.'],
  'channel.batch_refused': [
    422,
    'Nothing was changed, because some of the channels cannot be changed in this way.',
  ],
  'channel.import_refused': [422, 'Nothing was imported, because the file has mistakes.'],
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
  'payment.type_unknown': [422, 'This kind of payment gateway does not exist here.'],
  'payment.secrets_needed': [422, 'Another address needs the keys of the payment gateway again.'],
  'payment.unavailable': [404, 'This payment method is not available.'],
  'order.amount': [422, 'This amount cannot be bought.'],
  'order.no_points': [422, 'This payment would buy less than one point.'],
  'order.not_credited': [409, 'This order is not credited yet.'],
  'order.not_creditable': [409, 'This order cannot be credited in its state.'],
  'order.not_paid': [409, 'This order is not paid.'],
  'order.refund_too_large': [422, 'Refunds cannot exceed the payment.'],
  'order.refund_differs': [409, 'A refund of this number exists with another amount.'],
  'redemption.unknown': [404, 'There is no such redemption code.'],
  'redemption.used': [409, 'This redemption code was used already.'],
  'redemption.disabled': [422, 'This redemption code is disabled.'],
  'redemption.expired': [422, 'This redemption code has expired.'],
  'redemption.own_rank': [
    403,
    'An administrator redeems only codes that a super administrator made.',
  ],
  'invitation.decided': [409, 'This is decided already. Look at the invitation again.'],
  'invitation.disabled': [422, 'The inviter or the invited user is disabled or deleted.'],
  'registration.closed': [403, 'Registration is closed.'],
  'mail.domain': [422, 'E-mail addresses of this domain are not accepted here.'],
  'mail.code_wrong': [400, 'The code from the e-mail is wrong or has expired.'],
  'rate.mail': [
    429,
    'An e-mail was sent to this address already. Wait before you ask for another.',
  ],
  'reset.disabled': [403, 'This site sends no links to choose a new password.'],
  'reset.expired': [400, 'This link is wrong, was used or has expired. Ask for another.'],
  'mail.unset': [422, 'No mail server is set up yet.'],
  'mail.failed': [422, 'The mail server did not take the message.'],
  'storage.unset': [422, 'The storage of task results is not set up yet.'],
  'storage.failed': [422, 'The storage of task results did not do what it was asked for.'],
  'notification.limit': [409, 'This account has as many notification targets as it may have.'],
  'notification.config': [422, 'The settings of the notification target cannot be used.'],
  'notification.secrets_needed': [422, 'Another address needs the secrets of the target again.'],
  'notification.refused': [422, 'The notification service refused the message.'],
  'notification.failed': [502, 'The notification service gave no usable answer.'],
  'payment.config': [422, 'The configuration of the payment gateway cannot be used.'],
  'payment.refused': [502, 'The payment vendor refused.'],
  'payment.unreachable': [502, 'The payment vendor gave no usable answer.'],
  'token.too_many': [422, 'An account may not have so many API keys. Delete some first.'],
  'token.not_revealable': [
    409,
    'This key was imported by its hash, so that nobody can show it. Create a new one.',
  ],
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
  'quota.held': [
    429,
    'The balance, or the quota of this API key, is held by calls that are running. Wait for one to end.',
  ],
  'quota.day': [402, 'The spending limit of this day is reached.'],
  'quota.month': [402, 'The spending limit of this month is reached.'],
  'account.frozen': [403, 'This account is frozen.'],
  'account.debt': [
    403,
    'This account is frozen because it owes points of a refunded or disputed payment. A top-up pays them first.',
  ],
  'price.changed': [409, 'Prices were changed in the meantime. Look at the preview again.'],
  'price.list_unavailable': [422, 'This is no list that can be read.'],
  'status_page.unavailable': [502, 'The status page could not be read.'],
  'price.source': [422, 'The list could not be fetched.'],
  'price.unknown': [422, 'This model has no price yet, so it cannot be used.'],
  'model.unknown': [404, 'No channel serves this model.'],
  'model.no_candidate': [400, 'No candidate of this virtual model takes such a request.'],
  'model.name_taken': [409, 'A channel serves a model of this name.'],
  'model.nested': [422, 'A virtual model cannot be a candidate of a virtual model.'],
  'model.no_tools': [400, 'The channels of this model take no tools.'],
  'model.no_stream': [400, 'The channels of this model do not stream.'],
  'channel.none': [503, 'No channel for this model is available at the moment.'],
  'response.unknown': [404, 'There is no such response, or it is not yours.'],
  'response.previous': [400, 'The response that this one should continue is not known.'],
  'response.unavailable': [410, 'The account that stores this response is no longer available.'],
  'response.running': [409, 'This response is still being made.'],
  'task.not_cancellable': [409, 'This task can no longer be cancelled.'],
  'stored.unknown': [404, 'There is no such object, or it is not yours.'],
  'stored.unavailable': [410, 'The account that stores this object is no longer available.'],
  'stored.none': [501, 'No channel that this API key may use stores such objects.'],
  'stored.mixed': [400, 'The objects of one request must be stored by one account.'],
  'stored.full': [409, 'You store as much as you may. Delete some objects first.'],
  'batch.invalid': [400, 'This batch cannot be run.'],
  'operation.retired': [410, 'The provider has ended this API.'],
  'operation.unserved': [501, 'This API is not served here.'],
  'operation.unpriced': [501, 'This operation has no price here, so it is not served.'],
  'operation.unsupported': [501, 'No channel for this model supports this operation.'],
  'invoice.disabled': [404, 'Monthly invoices are not enabled on this site.'],
  'invoice.exists': [409, 'The invoices of this month exist already.'],
  'invoice.month': [400, 'Invoices are made for months that have ended.'],
  'invoice.paid': [409, 'This invoice is paid already.'],
  'telegram.off': [409, 'The Telegram bot is not running.'],
  'telegram.secret': [401, 'This request does not come from Telegram.'],
  'telegram.refused': [422, 'Telegram refused this.'],
  'telegram.unreachable': [502, 'Telegram cannot be reached.'],
  'upstream.unreachable': [502, 'The provider could not be reached.'],
  'upstream.timeout': [504, 'The provider did not answer in time.'],
  'upstream.busy': [429, 'The provider is overloaded. Try again later.'],
  'upstream.refused': [502, 'The provider refused the request.'],
  'upstream.caller': [400, 'The provider refused the request as invalid.'],
  'upstream.context': [400, 'The prompt is too long for this model.'],
  'upstream.credential': [502, 'The provider refused the credential of this channel.'],
  'upstream.funds': [502, 'The account of this channel at the provider is empty.'],
  'upstream.failed': [502, 'The provider failed.'],
  'upstream.invalid_response': [502, 'The provider sent something that cannot be read.'],
  'upstream.empty': [502, 'The provider sent an answer without content.'],
  'upstream.broken': [502, 'The provider broke off before the end of its answer.'],
  'stream.too_long': [502, 'The stream became longer than allowed.'],
  'stream.quota': [402, 'The stream was ended where the balance ended.'],
  'server.stopping': [503, 'This server is stopping. Try again.'],
  'server.busy': [503, 'This server is busy. Try again later.'],
  'server.ledger': [503, 'Charges cannot be recorded at the moment.'],
  'server.storage_full': [
    507,
    'The disk of the server or of its database is full. Free space, then try again.',
  ],
  'server.failed': [500, 'Something failed on this server.'],
  'env.invalid': [500, 'The environment of this server is not valid.'],
  'backup.running': [409, 'A backup is being made. Wait for its end.'],
  'backup.refused': [400, 'The backup cannot be restored.'],
  'import.source': [400, 'The data of the other gateway cannot be read.'],
  'import.not_empty': [409, 'An import needs an empty database, and this one has users.'],
} as const satisfies Record<string, readonly [status: number, sentence: string]>

export type FaultCode = keyof typeof faults

type FaultOptions = {
  /** For logs only. Never sent to a caller. */
  detail?: string
  /** Appended to the sentence for the caller, such as a field, a model or advice. Must not contain secrets. */
  hint?: string
  /** Sent as `data` of the error of an administrator's request, for what a sentence cannot list. No secrets. */
  data?: unknown
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
  readonly data: unknown

  constructor(
    code: FaultCode,
    { detail, hint, data, status, retryAfterSeconds, cause }: FaultOptions = {},
  ) {
    super(hint ? `${faults[code][1]} ${hint}` : faults[code][1], { cause })
    this.name = 'Fault'
    this.code = code
    this.status = status ?? faults[code][0]
    this.detail = detail
    this.retryAfterSeconds = retryAfterSeconds
    this.data = data
  }

  /** Returns this fault with another status. */
  withStatus(status: number): Fault {
    return Object.assign(Object.create(this), { status }) as Fault
  }
}
