import Box from '@mui/material/Box'
import { type ReactNode, useEffect, useRef, useState } from 'react'

type Props = {
  /** The height that is reserved until the children appear. */
  height: number
  children: ReactNode
}

/** Renders its children as soon as they come near the visible part of the page. */
export const NearView = ({ height, children }: Props) => {
  const anchor = useRef<HTMLDivElement>(null)
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    if (isNear || !anchor.current) return
    const observer = new IntersectionObserver(
      entries => entries.some(each => each.isIntersecting) && setNear(true),
      { rootMargin: '200px' },
    )
    observer.observe(anchor.current)
    return () => observer.disconnect()
  }, [isNear])
  return isNear ? children : <Box ref={anchor} sx={{ height }} />
}
