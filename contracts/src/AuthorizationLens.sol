// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {DynamicBufferLib} from "solady/utils/DynamicBufferLib.sol";
import {AuthorizationProbe} from "./AuthorizationProbe.sol";
import {ChainBlock} from "./libraries/ChainBlock.sol";

/// @title AuthorizationLens
/// @notice Reads all that a chain knows of many EIP-3009 authorizations, at one block, in one
///         eth_call that creates this contract: its constructor returns the answer instead of code.
/// @dev    The answer is packed. It begins with two words, the block's number and time (so never
///         with 0xEF, EIP-3541). Each query adds:
///           32 bytes  the payer's balance
///            8 bytes  the gas that the trial used
///            8 bytes  the first of the hash of the payer's code; zero if it has none
///            1 byte   whether there is code at the token's address: NO or YES
///            1 byte   whether the authorization is used or cancelled: NO, YES or UNKNOWN
///            1 byte   whether the payer is on the token's blacklist: the same
///            1 byte   whether the payee is: the same
///            1 byte   whether the token is paused: the same
///            1 byte   whether the trial succeeded: NO, YES, or UNKNOWN if there was no gas for it
///            2 bytes  how many bytes of the trial's reason follow
///         A trial that succeeds shows that nothing prevents it, and the four flags before
///         it are NO without having been read.
///         No token, wallet or factory can make it revert: each has its own gas, and of what they
///         answer no more is read than is needed.
contract AuthorizationLens {
    using DynamicBufferLib for DynamicBufferLib.DynamicBuffer;

    /// @param token       The token.
    /// @param call        transferWithAuthorization with its arguments, for a payer without code.
    /// @param walletCall  The same for a payer with code; empty if it is the same call.
    /// @param walletGas   The gas of a trial with a payer who has code, now or after a preparation.
    /// @param preparer    Who creates the payer's code before the trial (ERC-6492); zero for none.
    /// @param preparation The call to the preparer.
    /// @param isTried     Whether the transfer is tried for a payer without code as well. Without it
    ///                    the caller checks the signature, and a third of the work is enough.
    struct Query {
        address token;
        bytes call;
        bytes walletCall;
        uint256 walletGas;
        address preparer;
        bytes preparation;
        bool isTried;
    }

    /// @dev The outcome of a trial.
    struct Trial {
        uint8 succeeded;
        uint64 gas;
        bytes reason;
    }

    uint8 private constant NO = 0;
    uint8 private constant YES = 1;
    uint8 private constant UNKNOWN = 2;
    uint8 private constant SKIPPED = 3;
    /// @dev NO four times.
    bytes4 private constant NONE = 0;

    /// @dev The gas of a payer without code, as much as relayers give an authorization unless the
    ///      operator sets another amount: `authorization` of core/chain/gas.ts.
    uint256 private constant PLAIN_GAS = 280_000;
    /// @dev More than any honest token's view needs, behind a proxy and from cold storage.
    uint256 private constant VIEW_GAS = 60_000;
    /// @dev What a trial needs besides the gas of its calls; the calldata is copied a few times.
    uint256 private constant TRIAL_OVERHEAD = 60_000;

    constructor(Query[] memory queries) {
        AuthorizationProbe probe = new AuthorizationProbe();
        DynamicBufferLib.DynamicBuffer memory answer;
        answer.pUint256(ChainBlock.number()).pUint256(block.timestamp);
        for (uint256 i; i < queries.length; ++i) {
            answer.p(_facts(probe, queries[i]));
        }
        bytes memory code = answer.data;
        assembly ("memory-safe") {
            return(add(code, 0x20), mload(code))
        }
    }

    function _facts(AuthorizationProbe probe, Query memory query)
        private
        returns (bytes memory)
    {
        address token = query.token;
        (address from, address to, bytes32 nonce) = _termsOf(query.call);
        bytes32 codeHash = from.code.length == 0 ? bytes32(0) : from.codehash;
        bool isToken = token.code.length != 0;
        (, uint256 balance) = _view(token, abi.encodeWithSignature("balanceOf(address)", from));
        Trial memory trial;
        if (isToken) {
            bool isSkipped =
                !query.isTried && codeHash == 0 && query.preparer == address(0);
            if (isSkipped) trial.succeeded = SKIPPED;
            else trial = _try(probe, query, codeHash != 0);
        }
        bool isSure = trial.succeeded == YES || trial.succeeded == UNKNOWN;
        return abi.encodePacked(
            balance,
            trial.gas,
            bytes8(codeHash),
            isToken ? YES : NO,
            isSure ? NONE : _obstacles(token, from, to, nonce),
            trial.succeeded,
            uint16(trial.reason.length),
            trial.reason
        );
    }

    /// @dev Used, payer on the blacklist, payee on the blacklist, paused. There is no need to read
    ///      them after a trial that succeeded: it has shown that none of this is so.
    function _obstacles(address token, address from, address to, bytes32 nonce)
        private
        view
        returns (bytes4)
    {
        bytes memory flags = abi.encodePacked(
            _flag(token, abi.encodeWithSignature("authorizationState(address,bytes32)", from, nonce)),
            _flag(token, abi.encodeWithSignature("isBlacklisted(address)", from)),
            _flag(token, abi.encodeWithSignature("isBlacklisted(address)", to)),
            _flag(token, abi.encodeWithSignature("paused()"))
        );
        return bytes4(flags);
    }

    function _try(AuthorizationProbe probe, Query memory query, bool hasCode)
        private
        returns (Trial memory trial)
    {
        bool isPrepared = query.preparer != address(0);
        bool isWallet = hasCode || isPrepared;
        uint256 gasCap = isWallet ? query.walletGas : PLAIN_GAS;
        uint256 needed = gasCap + TRIAL_OVERHEAD;
        if (isPrepared) needed += probe.PREPARATION_GAS();
        trial.succeeded = UNKNOWN;
        // EIP-150, twice: the probe keeps back a 64th for itself, and so does its caller.
        if (gasleft() < needed + needed / 20) return trial;
        bytes memory call =
            isWallet && query.walletCall.length != 0 ? query.walletCall : query.call;
        try probe.attempt(query.token, call, gasCap, query.preparer, query.preparation) {}
        catch (bytes memory report) {
            if (bytes4(report) != AuthorizationProbe.Tried.selector) return trial;
            bool ok;
            uint256 gas;
            (ok, gas, trial.reason) = abi.decode(_afterSelector(report), (bool, uint256, bytes));
            trial.succeeded = ok ? YES : NO;
            trial.gas = uint64(gas);
        }
    }

    /// @dev The payer, the payee and the nonce, at their positions in the call.
    function _termsOf(bytes memory data)
        private
        pure
        returns (address from, address to, bytes32 nonce)
    {
        assembly ("memory-safe") {
            from := mload(add(data, 0x24))
            to := mload(add(data, 0x44))
            nonce := mload(add(data, 0xc4))
        }
    }

    function _flag(address token, bytes memory data) private view returns (uint8) {
        (bool ok, uint256 word) = _view(token, data);
        if (!ok || word > 1) return UNKNOWN;
        return word == 1 ? YES : NO;
    }

    /// @dev The first word of what a view answers; false and 0 if it is not there.
    function _view(address token, bytes memory data) private view returns (bool ok, uint256 word) {
        assembly ("memory-safe") {
            ok := staticcall(VIEW_GAS, token, add(data, 0x20), mload(data), 0x00, 0x20)
            ok := and(ok, gt(returndatasize(), 0x1f))
            if ok { word := mload(0x00) }
        }
    }

    /// @dev Shortens the report in place, since it is not needed any more.
    function _afterSelector(bytes memory report) private pure returns (bytes memory rest) {
        assembly ("memory-safe") {
            rest := add(report, 0x04)
            mstore(rest, sub(mload(report), 0x04))
        }
    }
}
