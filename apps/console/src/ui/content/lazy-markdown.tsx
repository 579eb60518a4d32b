import Skeleton from '@mui/material/Skeleton'
import { type ComponentProps, lazy, Suspense } from 'react'
import type { Markdown as MarkdownType } from './markdown.tsx'

const Markdown = lazy(async () => ({ default: (await import('./markdown.tsx')).Markdown }))

/** Loads the Markdown renderer in its own chunk, because most pages do not need it. */
export const LazyMarkdown = (props: ComponentProps<typeof MarkdownType>) => (
  <Suspense fallback={<Skeleton height={80} variant="rounded" />}>
    <Markdown {...props} />
  </Suspense>
)
