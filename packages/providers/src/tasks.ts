/** A JSON object of a vendor or a caller. */
export type JsonObject = Readonly<Record<string, unknown>>

/** The public interface that a task was asked for: the gateway's own for videos, or a vendor's. */
export type TaskApi = 'video' | 'kling' | 'suno' | 'midjourney' | 'jimeng'

/** A video as `/v1/videos` asks for it. Images are addresses or data URIs. */
export type VideoRequest = {
  prompt: string
  seconds: number | undefined
  width: number | undefined
  height: number | undefined
  image: string | undefined
  lastImage: string | undefined
  /** The vendor's own fields, which are sent as they are. */
  metadata: JsonObject
}

/** The earlier task that a request continues, at the same account. */
export type TaskOrigin = { upstreamId: string; action: string; state: JsonObject }

export type TaskRequest = {
  api: TaskApi
  /** The fields of the channel that the vendor's paths depend on. */
  channel?: { baseUrl: string; options: Readonly<Record<string, Record<string, unknown>>> }
  /** The vendor's action, as its path names it; empty for videos. */
  action: string
  /** The model's name at the vendor. */
  model: string
  /** The caller's body in a vendor's interface; empty for videos. */
  body: JsonObject
  video?: VideoRequest
  origin?: TaskOrigin
}

/** A request to the vendor. */
export type VendorTaskRequest = {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  body?: JsonObject
  headers?: Readonly<Record<string, string>>
  /** The field of the answer that holds files as base64. They are decoded as they arrive, and never kept as a whole. */
  fileField?: string
}

/**
 * The parts of a request that decide its price. The first of `names` that has a price per call is used, before the
 * model's own price; the model's price may name units, such as `second_720p`, of which the first that is priced counts.
 */
export type TaskPricing = {
  names?: readonly string[]
  /** Without a count the vendor decides the length, so that only a price per call fits. */
  units?: { count: number | undefined; kinds: readonly string[] }
  /** The most output tokens, of a vendor that reports them at the end. */
  tokensMax?: number
}

/** A task as it will be submitted. `invalid` says which field of the request the vendor does not take. */
export type PlannedTask =
  | { invalid: string }
  | {
      invalid?: undefined
      action: string
      prompt: string
      pricing: TaskPricing
      request: VendorTaskRequest
      /** Stored with the task, for polling. */
      state: JsonObject
    }

export type TaskOutput = {
  kind: 'video' | 'image' | 'audio' | 'text'
  /** Empty where `locate` finds it, and for a text. */
  url: string
  /** The vendor's reference, for `locate`. */
  reference?: string
  /** The address wants the channel's key. Its host is replaced by the channel's. */
  needsKey?: boolean
  /** The work that it belongs to, where a task makes several with titles or texts. */
  work?: { id: string; title: string; tags: string; text: string }
  /** The position among the files that the answer to `locate` holds. */
  fileIndex?: number
}

export type TaskState = 'queued' | 'in_progress' | 'completed' | 'failed'

/** A vendor's report on a task. */
export type TaskReport = {
  /** `missing`: the vendor knows no such task. Undefined: a word that this gateway does not know. */
  state: TaskState | 'missing' | undefined
  /** The vendor's word for the state. */
  word: string
  /** Percent. */
  progress?: number
  reason?: string
  outputs?: readonly TaskOutput[]
  /** Output tokens that the vendor charges. */
  tokens?: number
  /** The task as the vendor showed it. */
  data: JsonObject
}

export type SubmitResult =
  | { accepted: true; upstreamId: string; data: JsonObject; report?: TaskReport }
  | RefusedTask

export type RefusedTask = {
  accepted: false
  status: number
  code: string
  message: string
  /** The vendor's own answer, for callers of its own interface. */
  answer?: { status: number; body: JsonObject }
}

export type PolledTask = { upstreamId: string; action: string; model: string; state: JsonObject }

/** How a vendor makes tasks: the request is data, and the gateway holds, submits, polls and settles. */
export type TaskAdapter = {
  apis: readonly TaskApi[]
  /** The vendor makes a new video from one of its own and a text. */
  remixes?: true
  /** The vendor fetches no images, so that linked ones are sent as data URIs. */
  imagesAsBytes?: true
  plan(request: TaskRequest): PlannedTask
  /** Names under which a model may have its price, besides its own. */
  priceNames?(model: string): readonly string[]
  /** Undefined: the answer cannot be read, so the vendor may have accepted the task. */
  readSubmit(status: number, body: unknown): SubmitResult | undefined
  poll: {
    /** Tasks of one account that one request asks for; more than one only where the vendor can. */
    batchMax: number
    request(tasks: readonly PolledTask[]): VendorTaskRequest
    /** Reports by the vendor's id. Undefined: the answer says nothing, so the tasks are polled again. */
    read(
      status: number,
      body: unknown,
      tasks: readonly PolledTask[],
    ): ReadonlyMap<string, TaskReport> | undefined
  }
  /** Cancels a task that has not begun; a status from 300 is a refusal. Absent: the vendor cannot. */
  cancel?(task: PolledTask): VendorTaskRequest
  /** Finds the address of an output that the vendor names by a reference. */
  locate?: {
    request(output: TaskOutput): VendorTaskRequest
    read(body: unknown): string | undefined
  }
}

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A field of an object; an empty object where it is none. */
export const objectAt = (value: unknown, ...keys: readonly string[]): JsonObject => {
  let found = value
  for (const key of keys) found = isJsonObject(found) ? found[key] : undefined
  return isJsonObject(found) ? found : {}
}

/** A text or a whole number as text; empty for anything else. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' || Number.isSafeInteger(value) ? String(value) : ''

/** The state that a vendor's word stands for, in any case. */
export const stateOf = <State>(
  words: Readonly<Record<string, State>>,
  word: string,
): State | undefined => {
  const key = word.toLowerCase()
  return Object.hasOwn(words, key) ? words[key] : undefined
}

/** The result of a submission that the vendor refused with this error. */
export const refusedTask = (status: number, code: unknown, message: unknown): RefusedTask => ({
  accepted: false,
  // An error under status 200 is the caller's, unless the vendor's rules know its code.
  status: status >= 200 && status < 300 ? 400 : status,
  code: textOf(code),
  message: textOf(message),
})

/** A resolution such as `720p`, by the shorter side of a size. */
export const resolutionOf = ({ width, height }: VideoRequest): string | undefined =>
  width === undefined || height === undefined ? undefined : `${Math.min(width, height)}p`

const ratioTolerance = 0.03

/** The one of a vendor's aspect ratios that a size has. */
export const ratioOf = (
  { width, height }: VideoRequest,
  ratios: readonly string[],
): string | undefined =>
  ratios.find(each => {
    const [across = 1, down = 1] = each.split(':').map(Number)
    const exact = (width ?? 0) / (height ?? 1)
    return Math.abs(exact / (across / down) - 1) < ratioTolerance
  })

/** A whole number of seconds within bounds; undefined for anything else. */
export const secondsOf = (value: unknown, min: number, max: number): number | undefined => {
  const seconds = Number(value)
  return Number.isInteger(seconds) && seconds >= min && seconds <= max ? seconds : undefined
}

/** The report on a task that its vendor does not know. */
export const missingTask = (status: number): TaskReport => ({
  state: 'missing',
  word: String(status),
  data: {},
})
