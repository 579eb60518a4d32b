import { existsSync } from 'node:fs'

/** Reads the text of a PDF. */
export const pdfReader = '/usr/bin/pdftotext'

/** False where Debian's `poppler-utils` is not installed: then no test reads a PDF, and the test command says so. */
export const hasPdfTools = existsSync(pdfReader)
