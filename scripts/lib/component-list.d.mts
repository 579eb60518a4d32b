export type Component = { name: string; version: string; hashes?: { alg: string }[] }
export const componentList: () => { components: Component[] }
