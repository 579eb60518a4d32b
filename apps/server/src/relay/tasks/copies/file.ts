import { join } from 'node:path'
import type { App } from '../../../core/app.ts'

export const copyFolder = ({ env }: Pick<App, 'env'>): string => join(env.dataDir, 'task-results')

export const copyPath = (app: Pick<App, 'env'>, taskId: number, position: number): string =>
  join(copyFolder(app), `${taskId}-${position}`)
