import { type Log, logNotes } from '@hub/contract'
import { useT } from '../../ui/index.ts'

/** The content of an entry in the language of the console; of a note of another release, and of calls, as it is stored. */
export const useContent = () => {
  const t = useT()
  return ({ content, metadata }: Log): string => {
    const note = logNotes.find(each => each === metadata.note)
    return note ? t(`logs.contents.${note}`, { about: String(metadata.about ?? '') }) : content
  }
}
