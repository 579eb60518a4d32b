import { z } from 'zod'
import { boolean, integer, json, link, secret, text } from './fields.ts'

export const claude = z.object({
  /** The share of the output limit for thinking, if a caller of another dialect gave no budget. */
  ClaudeBudgetTokensPercentage: z.number().min(0).max(1).default(0.8),
  /** The output limit for Claude models if the caller gave none: `{"model": tokens, "default": tokens}`. */
  ClaudeDefaultMaxTokens: json(
    z.record(z.string(), z.number().int().positive()),
    'must be a JSON object of whole numbers',
  ).default('{"default":8192}'),
})

export const retry = z.object({
  RetryTimes: integer(0, 10, 3),
  RetryCooldownSeconds: integer(0, 3600, 5),
  /** No other channel is tried after this many seconds. */
  RetryTimeOut: integer(1, 3600, 60),
  /** An answer without output is a failure of its channel, once per call and while another channel may be tried. */
  EmptyAnswerRetryEnabled: boolean(false),
  /** Calls of one conversation prefer the channel and key that have its prompt in their cache. */
  PromptCacheRoutingEnabled: boolean(true),
  /** A second channel is asked where the first is silent for too long; the first output of either answers. */
  HedgedStartEnabled: boolean(false),
  HedgedStartMilliseconds: integer(50, 60_000, 2_000),
})

export const relay = z.object({
  /** Serves the routes of Anthropic's format. */
  ClaudeAPIEnabled: boolean(true),
  /** Serves the routes of Gemini's format. */
  GeminiAPIEnabled: boolean(true),
  /** A name such as `gpt-5-high` calls `gpt-5` with that effort, unless a model of the name exists. */
  EffortByNameEnabled: boolean(false),
  ConnectTimeoutSeconds: integer(1, 120, 5),
  FirstByteTimeoutSeconds: integer(1, 3600, 120),
  IdleTimeoutSeconds: integer(1, 3600, 300),
  StreamDurationMaxSeconds: integer(10, 86_400, 3600),
  /** A silent stream sends a comment or ping after this many seconds. 0: never. */
  PingSeconds: integer(0, 300, 15),
  /** A stream is cancelled if the caller reads nothing for this long. */
  SlowReaderSeconds: integer(5, 3600, 60),
  /** Open WebSockets of one API key, on all nodes together. */
  SocketsPerTokenMax: integer(1, 10_000, 64),
})

/** Answers of equal requests, for tokens with `chat_cache`. */
export const responseCache = z.object({
  ChatCacheEnabled: boolean(false),
  ChatCacheExpireMinute: integer(1, 1_440, 5),
  /** Chats with a temperature above 0 are cached too. */
  ChatCacheSampledEnabled: boolean(false),
  /** The most answers, and their bytes, that a node holds without Redis. With Redis only their time is bounded. */
  ChatCacheEntriesMax: integer(1, 1_000_000, 10_000),
  ChatCacheMegabytesMax: integer(1, 65_536, 64),
})

export const responses = z.object({
  /** Stores answers of `/v1/responses` on this server if the vendor does not store them. */
  KeepResponsesEnabled: boolean(false),
  /** The retention of stored answers. */
  KeepResponsesDays: integer(1, 3_650, 30),
})

/** Videos and other tasks of vendors. */
export const tasks = z.object({
  /** Results are copied into the data folder, or into `taskStorage`, and kept for this time. 0: no copies. */
  TaskCopyDays: integer(0, 3_650, 0),
  /** A task without an end after this time is given up and not charged. */
  TaskDeadlineMinutes: integer(1, 10_080, 60),
  /** The most requests per second that polls send to one channel, on all nodes together. 0: no limit. */
  TaskPollsPerSecond: integer(0, 1_000, 20),
  /** Ended tasks are deleted after this time. 0: they stay. Balances and logs do not depend on them. */
  TaskRetentionDays: integer(0, 3_650, 0),
})

/** S3-compatible storage for copies of task results. The address comes first, because another one removes the secret key. */
export const taskStorage = z.object({
  /** Scheme, host and port only. */
  TaskStorageEndpoint: z
    .string()
    .max(500)
    .refine(
      value => value === '' || isOrigin(value),
      'must be an address such as https://s3.example.com',
    )
    .transform(value => value.replace(/\/$/, ''))
    .default(''),
  TaskStorageRegion: z
    .string()
    .regex(/^[a-z\d-]{1,50}$/i, 'must be a region such as us-east-1')
    .default('us-east-1'),
  TaskStorageBucket: z
    .string()
    .regex(/^$|^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/, 'must be the name of a bucket')
    .default(''),
  /** Put in front of the name of each object. */
  TaskStoragePrefix: z
    .string()
    .max(200)
    .regex(
      /^([\w-][\w.-]*\/)*$/,
      'must be folders of letters, digits, dots and hyphens, each with a slash at its end',
    )
    .default(''),
  TaskStorageAccessKey: text(200),
  TaskStorageSecretKey: secret(),
  /** The bucket is the first folder of the path instead of the first part of the host name. */
  TaskStoragePathStyleEnabled: boolean(false),
  /** New copies go there instead of the data folder. */
  TaskStorageEnabled: boolean(false),
})

export const midjourney = z.object({
  /** Gives the proxy an address of this server, where it reports changes. Needs `ServerAddress`. */
  MjNotifyEnabled: boolean(false),
  /** Answers of `/mj` name this server's address of an image instead of the vendor's. */
  MjForwardUrlEnabled: boolean(true),
})

/** How files behind addresses in a request are fetched. */
export const links = z.object({
  /** An http, https or socks5 proxy. Its address may contain a password. */
  ChatImageRequestProxy: secret().refine(
    value => value === '' || isProxy(value),
    'must be an address such as http://user:password@proxy.example:8080 or socks5://proxy.example:1080',
  ),
  /** A worker that fetches instead of this server: `POST {action, api_key, url}`. */
  CFWorkerImageUrl: link(),
  CFWorkerImageKey: secret(),
})

/** A check of the texts of requests against a list of words. */
export const safety = z.object({
  EnableSafe: boolean(false),
  /** `block` refuses the request before a provider is called. `log` only writes it to the system log. */
  SafeMode: z.enum(['block', 'log']).default('block'),
  /** One word or phrase per line; letter case and width do not count. */
  SafeKeyWords: text(100_000),
})

const isOrigin = (value: string): boolean => {
  if (!URL.canParse(value)) return false
  const url = new URL(value)
  const isPlain = url.username === '' && url.password === '' && url.search === '' && url.hash === ''
  return isPlain && url.pathname === '/' && ['http:', 'https:'].includes(url.protocol)
}

const isProxy = (value: string): boolean =>
  URL.canParse(value) &&
  ['http:', 'https:', 'socks5:', 'socks5h:'].includes(new URL(value).protocol)
