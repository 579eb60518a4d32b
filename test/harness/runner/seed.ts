import '../process/quick-passwords.mjs'
import fc from 'fast-check'

/**
 * Before every test file. CI tries the same generated cases in every run, so that a change is judged by itself; elsewhere
 * each run tries others, and what fails prints its seed for HUB_SEED.
 */
const { CI, HUB_SEED } = process.env
if (CI || HUB_SEED) fc.configureGlobal({ seed: Number(HUB_SEED ?? 20_261_122) })
