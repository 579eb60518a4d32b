export type OptionsTable = { key: string; value: string }

/** A version per topic, incremented in the writing transaction. Nodes poll it to notice changes. */
export type TopicsTable = { topic: string; n: number }
