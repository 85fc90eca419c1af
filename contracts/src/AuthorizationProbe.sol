// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Isolation} from "./libraries/Isolation.sol";

/// @title AuthorizationProbe
/// @notice Tries a call to a token and reverts all of it.
/// @dev    Never deployed for good: it lives within an eth_call of AuthorizationLens.
contract AuthorizationProbe {
    /// @notice The gas with which a wallet that does not exist yet is created (ERC-6492).
    uint256 public constant PREPARATION_GAS = 1_500_000;

    /// @notice The outcome, reported by reverting so that nothing of the trial remains.
    /// @param ok     Whether the token accepted the call.
    /// @param gas    What the call used.
    /// @param reason The beginning of what the token answered, when it did not accept.
    error Tried(bool ok, uint256 gas, bytes reason);

    /// @param token       The token.
    /// @param call        The call to it.
    /// @param gasCap      What the call is given, and no more.
    /// @param preparer    Who is called before that; zero for none. It may fail: ERC-6492 wants
    ///                    the signature to be checked all the same.
    /// @param preparation The call to the preparer.
    function attempt(
        address token,
        bytes calldata call,
        uint256 gasCap,
        address preparer,
        bytes calldata preparation
    ) external {
        if (preparer != address(0)) Isolation.attempt(preparer, preparation, PREPARATION_GAS);
        uint256 before = gasleft();
        (bool ok, bytes memory reason) = Isolation.attempt(token, call, gasCap);
        revert Tried(ok, before - gasleft(), reason);
    }
}
