/**
 * The first 48 bits of every key's hash, 8 bytes each. It rules out unknown keys without a query; a wrong key passes by
 * chance once in 2^48 / n tries.
 */
export type KeySet = { add(hash: string): void; has(hash: string): boolean; size(): number }

const free = -1
const sizeMin = 1024

export const makeKeySet = (): KeySet => {
  let slots = new Float64Array(sizeMin).fill(free)
  let size = 0

  const put = (value: number) => {
    let slot = value % slots.length
    while (slots[slot] !== free) {
      if (slots[slot] === value) return
      slot = (slot + 1) % slots.length
    }
    slots[slot] = value
    size++
  }

  const grow = () => {
    const old = slots
    slots = new Float64Array(old.length * 2).fill(free)
    size = 0
    for (const value of old) if (value !== free) put(value)
  }

  return {
    add: hash => {
      const value = prefixOf(hash)
      // No key has the hash of such a row, which was written by hand.
      if (Number.isNaN(value)) return
      if (size * 4 >= slots.length * 3) grow()
      put(value)
    },
    has: hash => {
      const value = prefixOf(hash)
      if (Number.isNaN(value)) return false
      let slot = value % slots.length
      while (slots[slot] !== free) {
        if (slots[slot] === value) return true
        slot = (slot + 1) % slots.length
      }
      return false
    },
    size: () => size,
  }
}

const prefixOf = (hash: string) => Number.parseInt(hash.slice(0, 12), 16)
