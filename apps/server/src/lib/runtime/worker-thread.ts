import { parentPort, Worker, type WorkerOptions } from 'node:worker_threads'

/** Tuples: structured cloning of property names would cost more. */
type RequestMessage = [id: number, request: unknown]
type ResponseMessage = [id: number, isDone: boolean, valueOrError: unknown]

export type WorkerThread<Request, Response> = {
  /** Rejects with what the thread reported, or when the thread ends before it responds. */
  send(request: Request): Promise<Response>
  terminate(): Promise<void>
}

type ThreadOptions = Pick<WorkerOptions, 'workerData' | 'resourceLimits'> & {
  /** Makes an error of what the thread reported with `encodeError`. */
  decodeError(error: unknown): Error
  /** The error of requests that the thread leaves without a response. */
  endedError(reason: unknown): Error
  onEnd?(reason: unknown, lostRequests: number): void
  /** False: the process may end while the thread runs. */
  keepsProcess?: boolean
}

type Pending = { resolve(value: never): void; reject(error: unknown): void }

/**
 * Starts a worker thread that responds to requests by `serveRequests`. Each response carries the id of its request, since
 * Node sends messages of its own over the same channel, for example under `--watch`.
 */
export const startWorkerThread = <Request, Response>(
  file: URL,
  { decodeError, endedError, onEnd, keepsProcess = true, ...options }: ThreadOptions,
): WorkerThread<Request, Response> => {
  const worker = new Worker(file, { ...options, execArgv: [] })
  if (!keepsProcess) worker.unref()
  const pending = new Map<number, Pending>()
  let lastId = 0

  worker.on('message', (message: ResponseMessage) => {
    if (!Array.isArray(message)) return
    const [id, isDone, valueOrError] = message
    const request = pending.get(id)
    if (!request) return
    pending.delete(id)
    if (isDone) request.resolve(valueOrError as never)
    else request.reject(decodeError(valueOrError))
  })

  const end = (reason: unknown) => {
    const lost = [...pending.values()]
    pending.clear()
    for (const { reject } of lost) reject(endedError(reason))
    onEnd?.(reason, lost.length)
  }
  worker.on('messageerror', end)
  worker.on('error', end)
  worker.on('exit', code => end(`exit code ${code}`))

  return {
    send: request =>
      new Promise((resolve, reject) => {
        const id = ++lastId
        // A request that cannot be cloned throws here, and gets no response.
        worker.postMessage([id, request] satisfies RequestMessage)
        pending.set(id, { resolve: resolve as Pending['resolve'], reject })
      }),
    terminate: async () => void (await worker.terminate()),
  }
}

/** Responds to the requests of the thread that started this one. Synchronous work is done in the order of the requests. */
export const serveRequests = <Request>(
  perform: (request: Request) => unknown,
  encodeError: (error: unknown) => unknown,
): void => {
  const send = (message: ResponseMessage) => parentPort?.postMessage(message)
  parentPort?.on('message', (message: RequestMessage) => {
    if (!Array.isArray(message)) return
    const [id, request] = message
    const fail = (error: unknown) => send([id, false, encodeError(error)])
    try {
      const value = perform(request as Request)
      if (value instanceof Promise) value.then(result => send([id, true, result]), fail)
      else send([id, true, value])
    } catch (error) {
      fail(error)
    }
  })
}
