import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type AttemptKind, Attempts } from './attempts.ts'

/** Channels are numbers: the first one that did not fail is picked. */
type Target = { name: string; channels: number; isBackup?: boolean }
type Failure = { canRetry: boolean }

/** How an attempt goes, and what happens while it runs. */
type Step = {
  end: 'answer' | 'failure' | 'refusal'
  takesMs: number
  isHedged: boolean
  leaves: boolean
}

type Scene = {
  targets: Target[]
  steps: Step[]
  retriesMax: number
  budget: Record<AttemptKind, number>
  isForced: boolean
}

const limitMs = 100

/** A world in which the attempts run, and what they did in it. */
const makeWorld = ({ targets, retriesMax, budget, isForced }: Scene) => {
  let now = 0
  let hasLeft = false
  const left = { ...budget }
  const failed = new Map<Target, Set<number>>()
  const lines: string[] = []
  const failedIn = (target: Target) => {
    const known = failed.get(target) ?? new Set()
    failed.set(target, known)
    return known
  }
  const pick = (target: Target, without: readonly number[] = []) =>
    Array.from({ length: target.channels }, (_, channel) => channel + 1).find(
      each => !failedIn(target).has(each) && !without.includes(each),
    )
  const has = (kind: AttemptKind, share: number) => left[kind] * share >= 1
  const take = (kind: AttemptKind, share: number) => {
    if (!has(kind, share)) return false
    left[kind]--
    return true
  }
  const attempts = new Attempts<Target, number, Failure>(targets, {
    now: () => now,
    isAborted: () => hasLeft,
    isForced,
    retriesMax,
    endsAt: limitMs,
    budget: {
      begin: ({ name }) => lines.push(`begin ${name}`),
      take: (kind, share) =>
        take(kind, share)
          ? isAnswered => {
              if (isAnswered) left[kind]++
            }
          : undefined,
      canTake: has,
      takeHedge: kind => take(kind, 1),
    },
    enter: ({ name }) => lines.push(`enter ${name}`),
    pick: target => pick(target),
    pickSecond: (target, running) => pick(target, [running]),
    hasOther: (target, running) => pick(target, [running]) !== undefined,
    leave: ({ name }, { stop, last, next }) =>
      lines.push(`leave ${name} ${stop} ${last ? 'failed' : 'untried'} ${next?.name ?? 'end'}`),
  })
  return {
    attempts,
    lines,
    fail: (target: Target, channel: number) => failedIn(target).add(channel),
    pass: (milliseconds: number) => {
      now += milliseconds
    },
    leave: () => {
      hasLeft = true
    },
    left,
    pick,
    take,
    time: () => now,
  }
}

type World = ReturnType<typeof makeWorld>

const run = (scene: Scene): string[] => {
  const world = makeWorld(scene)
  const { attempts, lines } = world
  const steps = [...scene.steps]
  for (let next = attempts.next(); next; next = attempts.next()) {
    const { target, account } = next
    const step = steps.shift() ?? answered
    lines.push(`ask ${target.name}${account}`)
    if (step.isHedged && attempts.mayHedge()) {
      const second = attempts.second()
      if (second !== undefined) lines.push(`beside ${target.name}${second}`)
      if (second !== undefined) world.fail(target, second)
    }
    world.fail(target, account)
    world.pass(step.takesMs)
    if (step.leaves) world.leave()
    attempts.end(step.end === 'answer' ? undefined : { canRetry: step.end === 'failure' })
  }
  return [...lines, `left ${world.left.retry} ${world.left.move}`]
}

const answered: Step = { end: 'answer', takesMs: 0, isHedged: false, leaves: false }

/** Plain loops give the order: one target after the other, and retries within each. */
const runModel = (scene: Scene): string[] => {
  const { lines, left, pick, take, fail, pass, leave, time } = makeWorld(scene)
  const { targets, retriesMax, isForced } = scene
  const steps = [...scene.steps]
  let isFirst = true
  let hasLeft = false
  const tryTarget = (target: Target, hasNext: boolean) => {
    let hasFailed = false
    for (let tries = 0; ; ) {
      const channel = pick(target)
      if (channel === undefined) return { stop: 'no_candidate', hasFailed }
      const kind = tries === 0 && !isFirst ? 'move' : 'retry'
      const isFree = isFirst
      if (isFirst) lines.push(`begin ${target.name}`)
      else if (!take(kind, tries > 0 && hasNext ? 0.5 : 1))
        return { stop: 'retry_budget', hasFailed }
      isFirst = false
      lines.push(`ask ${target.name}${channel}`)
      const step = steps.shift() ?? answered
      tries++
      const second =
        step.isHedged && tries <= retriesMax && !isForced ? pick(target, [channel]) : undefined
      if (second !== undefined && take(kind, 1)) {
        lines.push(`beside ${target.name}${second}`)
        fail(target, second)
        tries++
      }
      fail(target, channel)
      pass(step.takesMs)
      hasLeft ||= step.leaves
      if (step.leaves) leave()
      if (step.end === 'answer') {
        if (!isFree) left[kind]++
        return undefined
      }
      hasFailed = true
      if (hasLeft) return { stop: 'aborted', hasFailed }
      if (step.end === 'refusal') return { stop: 'not_retryable', hasFailed }
      if (isForced) return { stop: 'forced', hasFailed }
      if (time() > limitMs) return { stop: 'time_limit', hasFailed }
      if (tries > retriesMax) return { stop: 'retry_limit', hasFailed }
    }
  }
  for (const [index, target] of targets.entries()) {
    const next = targets[index + 1]
    lines.push(`enter ${target.name}`)
    const end = tryTarget(target, next !== undefined)
    if (!end) break
    const moves = ['no_candidate', 'retry_limit', 'retry_budget'].includes(end.stop) && !hasLeft
    const words = [target.name, end.stop, end.hasFailed ? 'failed' : 'untried']
    lines.push(`leave ${words.join(' ')} ${(moves && next?.name) || 'end'}`)
    if (!moves) break
  }
  return [...lines, `left ${left.retry} ${left.move}`]
}

const stepOf = (end: fc.Arbitrary<Step['end']>) =>
  fc.record({
    end,
    takesMs: fc.oneof({ weight: 6, arbitrary: fc.constant(1) }, fc.constant(60)),
    isHedged: fc.boolean(),
    leaves: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, fc.constant(true)),
  })

const targetsOf = (channelsMin: number) =>
  fc
    .array(fc.integer({ min: channelsMin, max: 4 }), { minLength: 1, maxLength: 4 })
    .map(all => all.map((channels, index) => ({ name: 'abcd'[index]!, channels })))

const sceneOf = (channelsMin: number): fc.Arbitrary<Scene> =>
  fc.record({
    targets: targetsOf(channelsMin),
    steps: fc.array(
      stepOf(fc.constantFrom('failure', 'failure', 'failure', 'failure', 'refusal', 'answer')),
      { maxLength: 12 },
    ),
    retriesMax: fc.integer({ min: 0, max: 4 }),
    budget: fc.record({
      retry: fc.integer({ min: 0, max: 6 }),
      move: fc.integer({ min: 0, max: 3 }),
    }),
    isForced: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, fc.constant(true)),
  })

it('channels are tried in the order of plain loops, whatever fails and whatever is left', () => {
  fc.assert(
    fc.property(sceneOf(0), scene => {
      expect(run(scene)).toEqual(runModel(scene))
    }),
    { numRuns: 2_000 },
  )
})

it('another attempt is announced exactly where a failure would be followed by one', () => {
  const check = (scene: Scene) => {
    const world: World = makeWorld(scene)
    const { attempts } = world
    const steps = [...scene.steps]
    for (let next = attempts.next(); next; ) {
      const step = steps.shift() ?? answered
      if (step.isHedged && attempts.mayHedge()) {
        const second = attempts.second()
        if (second !== undefined) world.fail(next.target, second)
      }
      world.pass(step.takesMs)
      if (step.leaves) world.leave()
      const isAnnounced = attempts.canTryAnother()
      world.fail(next.target, next.account)
      attempts.end({ canRetry: true })
      next = attempts.next()
      expect(isAnnounced).toBe(next !== undefined)
    }
    expect(attempts.canTryAnother()).toBe(false)
  }
  fc.assert(fc.property(sceneOf(1), check), { numRuns: 2_000 })
})
