import { allowing } from '../../../test/outside.ts'
import { sharedIssuer } from '../../../test/people/connections.ts'
import { routeContract } from '../../../test/route-contract.ts'

routeContract('session', allowing((await sharedIssuer()).port))
