import type { Program } from './read.mjs'

export const serverPrograms: Record<
  | 'start'
  | 'audit'
  | 'backup'
  | 'restore'
  | 'doctor'
  | 'import'
  | 'rotate-master-key'
  | 'reset-password',
  Program
>
