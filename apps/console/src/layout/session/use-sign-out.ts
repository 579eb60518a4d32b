import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { api } from '../../api'
import { signOutWith } from '../../api/session.ts'

/** Ends the session on the server and clears the cached data of the user. */
export const useSignOut = () => {
  const client = useQueryClient()
  const navigate = useNavigate()
  return () =>
    signOutWith(async () => {
      await api['sign-in'].logoutByPost().catch(() => undefined)
      await navigate('/')
      client.removeQueries({
        predicate: each => each.queryKey[0] !== 'status' && each.queryKey[0] !== 'profile',
      })
    })
}
