// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IExactPermitProxy} from "../../src/interfaces/IPermitProxies.sol";
import {TestPermitProxy} from "./TestPermitProxy.sol";

/// @title TestExactProxy
/// @notice A stand-in on local chains for x402's proxy of `exact`: it pays all that was permitted.
contract TestExactProxy is TestPermitProxy, IExactPermitProxy {
    string private constant TYPE =
        "Witness witness)TokenPermissions(address token,uint256 amount)Witness(address to,uint256 validAfter)";

    function settle(
        PermitTransferFrom calldata permit,
        address owner,
        Witness calldata witness,
        bytes calldata signature
    ) external {
        _settle(permit, owner, witness, signature);
        emit Settled();
    }

    function settleWithPermit(
        EIP2612Permit calldata permit2612,
        PermitTransferFrom calldata permit,
        address owner,
        Witness calldata witness,
        bytes calldata signature
    ) external {
        _permit(permit2612, permit, owner);
        _settle(permit, owner, witness, signature);
        emit SettledWithPermit();
    }

    function _settle(
        PermitTransferFrom calldata permit,
        address owner,
        Witness calldata witness,
        bytes calldata signature
    ) private {
        bytes32 hash =
            keccak256(abi.encode(keccak256("Witness(address to,uint256 validAfter)"), witness));
        uint256 amount = permit.permitted.amount;
        _pay(permit, amount, owner, witness.to, witness.validAfter, hash, TYPE, signature);
    }
}
