import { listOf } from '../../decode-values.ts'
import { endOf, hasText, joinEmptiness, type ReadEmptiness } from '../../empty-answers/emptiness.ts'
import { isJsonObject, type Json } from '../../json/json.ts'
import { ownEndWords } from '../../reasons/finish-reasons.ts'

const ownReasons = ownEndWords('openai-chat')

/** Reads a chunk or a whole answer of chats and of completions, whose choices have a `text`. */
export const readEmptiness: ReadEmptiness = ({ choices }) =>
  joinEmptiness(
    listOf(choices)
      .filter(isJsonObject)
      .map((choice: Json) =>
        hasText(choice.delta ?? choice.message) || hasText(choice.text)
          ? undefined
          : endOf(choice.finish_reason, ownReasons),
      ),
  )
