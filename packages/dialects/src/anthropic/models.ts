/**
 * What a model of this vendor knows, by its name, wherever it is sold (`anthropic.claude-…`, `claude-…@20250514`).
 * https://platform.claude.com/docs/en/about-claude/models/overview
 */
export type Ability = {
  /** Thinks when asked with a budget. */
  budget: boolean
  /** Thinks as much as it finds right, and knows `effort`. */
  adaptive: boolean
  /** Refuses a budget, temperature, top_p and top_k. */
  isStrict: boolean
  /** Knows schemas for answers, and strict tools. */
  schemas: boolean
  /** Refuses temperature and top_p together. */
  oneSampler: boolean
}

const named = /claude-(?:(opus|sonnet|haiku|fable|mythos|[a-z]+)-)?(\d+)(?:[-.](\d{1,2})(?!\d))?/

/** A name that says nothing is taken for a model that knows everything but the newest ways. */
export const abilityOf = (model: string): Ability => {
  const [, family, major, minor] = named.exec(model) ?? []
  if (major === undefined)
    return { budget: true, adaptive: false, isStrict: false, schemas: true, oneSampler: false }
  const version = Number(major) + Number(minor ?? 0) / 100
  const isAdaptive = version >= 4.06
  const isHaiku = family === 'haiku'
  return {
    budget: version >= 3.07,
    adaptive: isAdaptive,
    isStrict: version >= 5 || (version >= 4.07 && !isHaiku),
    schemas: version >= 4.05,
    oneSampler: version >= 4.01,
  }
}
