import type { FreshProof } from '@hub/contract'
import Button from '@mui/material/Button'
import { useRef, useState } from 'react'
import { z } from 'zod'
import { isApiError, useSite, useUser } from '../../api'
import { apiError } from '../../api/error.ts'
import { type FieldOverride, SchemaForm, useT } from '../../ui'
import { proofFields, proofOverrides } from './fresh-proof.ts'
import { canUsePasskeys, isPasskeyCancelled, proveByPasskey } from './passkeys.ts'

export type ProofShape = typeof FreshProof.shape
type Values = Record<string, unknown>

type Props = {
  /** The endpoint that the form calls first, for which a proof by passkey is valid. */
  endpoint: { resource: string; action: string }
  /** The schema with the fields of the proof; they alone by default. */
  schemaOf?: (proof: ProofShape) => z.ZodObject
  submit: { attempt: (input: never) => Promise<unknown> } | ((input: never) => Promise<unknown>)
  submitLabel: string
  initialValues?: Values
  fieldOverrides?: Record<string, FieldOverride>
  transform?: (values: Values) => object
}

/** A form with a fresh proof: the password and the code of the second factor, or a passkey instead. */
export const ProofForm = ({ endpoint, schemaOf = z.object, ...props }: Props) => {
  const t = useT()
  const user = useUser()
  const canSwitch = canUsePasskeys(useSite()) && user.has_passkey
  const [usesPasskey, setUsesPasskey] = useState(!user.has_password)
  const [needsCode, setNeedsCode] = useState(false)
  const entered = useRef(props.initialValues)
  const isByPasskey = canSwitch && usesPasskey
  const call = usePasskeyProof(endpoint, props.submit, values => {
    entered.current = values
    setNeedsCode(true)
  })
  const fields = isByPasskey
    ? proofFields({ ...user, has_password: false, has_second_factor: needsCode })
    : proofFields(user)
  return (
    <>
      <SchemaForm
        {...props}
        key={`${isByPasskey} ${needsCode}`}
        resource="profile"
        initialValues={entered.current}
        schema={schemaOf(fields)}
        submit={isByPasskey ? call : (props.submit as never)}
        fieldOverrides={{ ...proofOverrides, ...props.fieldOverrides }}
      />
      {canSwitch && (user.has_password || user.has_second_factor) && (
        <Button size="small" sx={{ mt: 1 }} onClick={() => setUsesPasskey(!usesPasskey)}>
          {t(isByPasskey ? 'profile.proof.byPassword' : 'profile.proof.byPasskey')}
        </Button>
      )}
    </>
  )
}

/** Asks for a passkey before each call. An authenticator that verifies no user leaves the second factor to ask for. */
const usePasskeyProof = (
  endpoint: Props['endpoint'],
  submit: Props['submit'],
  askForCode: (values: Values) => void,
) => {
  const t = useT()
  const unused = useRef('')
  const send = ('attempt' in submit ? submit.attempt : submit) as (
    input: Values,
  ) => Promise<unknown>
  return async (input: Values) => {
    const passkey_proof = unused.current || (await prove(endpoint, t('sign-in.passkey.cancelled')))
    unused.current = ''
    try {
      return await send({ ...input, passkey_proof })
    } catch (error) {
      if (isApiError(error) && error.code === 'second_factor.needed') {
        unused.current = passkey_proof
        askForCode(input)
      }
      throw error
    }
  }
}

const prove = async (endpoint: Props['endpoint'], cancelled: string): Promise<string> => {
  try {
    return (await proveByPasskey(endpoint)).passkey_proof
  } catch (error) {
    throw isPasskeyCancelled(error) ? apiError(400, { message: cancelled }) : error
  }
}
