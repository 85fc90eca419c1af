// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {TestWallet} from "./TestWallet.sol";

/// @title TestWalletFactory
/// @notice A stand-in on local chains for factories of contract wallets (ERC-4337, ERC-6492): an
///         owner's wallet has the same address before it exists and afterwards.
contract TestWalletFactory {
    /// @notice Creates the wallet, or answers with the one that there is.
    function createAccount(address owner, uint256 salt) external returns (address account) {
        account = accountOf(owner, salt);
        if (account.code.length == 0) new TestWallet{salt: bytes32(salt)}(owner);
    }

    function accountOf(address owner, uint256 salt) public view returns (address) {
        bytes32 initCodeHash =
            keccak256(abi.encodePacked(type(TestWallet).creationCode, abi.encode(owner)));
        bytes32 hash =
            keccak256(abi.encodePacked(bytes1(0xff), address(this), bytes32(salt), initCodeHash));
        return address(uint160(uint256(hash)));
    }
}
